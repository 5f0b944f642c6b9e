import {
  DEFAULT_WINDOW_BYTES,
  ErrorCode,
  Http2Error,
  MAX_FRAME_BYTES,
  MAX_WINDOW_BYTES,
  Setting,
} from './constants.ts';

/** The limits that the peer announced (RFC 9113 section 6.5.2). */
export interface PeerSettings {
  readonly maxConcurrentStreams: number;
  readonly initialWindowBytes: number;
  readonly maxFrameBytes: number;
}

export const defaultPeerSettings: PeerSettings = {
  maxConcurrentStreams: Number.POSITIVE_INFINITY,
  initialWindowBytes: DEFAULT_WINDOW_BYTES,
  maxFrameBytes: MAX_FRAME_BYTES,
};

/**
 * Applies a SETTINGS payload to the previous settings; throws {@link Http2Error} on values that the protocol forbids.
 */
export function applySettings(known: PeerSettings, payload: Buffer): PeerSettings {
  if (payload.length % 6 !== 0)
    throw new Http2Error(ErrorCode.frameSizeError, `SETTINGS of ${payload.length} bytes`);
  let next = known;
  for (let at = 0; at < payload.length; at += 6) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case Setting.maxConcurrentStreams:
        next = { ...next, maxConcurrentStreams: value };
        break;
      case Setting.initialWindowSize:
        if (value > MAX_WINDOW_BYTES)
          throw new Http2Error(ErrorCode.flowControlError, `initial window ${value}`);
        next = { ...next, initialWindowBytes: value };
        break;
      case Setting.maxFrameSize:
        if (value < MAX_FRAME_BYTES || value > 0xff_ffff) {
          throw new Http2Error(ErrorCode.protocolError, `maximum frame size ${value}`);
        }
        next = { ...next, maxFrameBytes: value };
        break;
    }
  }
  return next;
}
