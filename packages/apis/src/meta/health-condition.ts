import { f } from '@orch/schema';

/** Maximum number of health conditions of a volume, or of a driver on a node. */
export const MAX_HEALTH_CONDITIONS = 16;

const MAX_REASON_BYTES = 256;
const MAX_MESSAGE_BYTES = 1024;

/** The reason and the message of a health condition, whose status comes first. */
export const healthReason = {
  reason: f.string(2, {
    doc: 'Machine-readable reason, in CamelCase.',
    presence: 'always',
    required: true,
    maxBytes: MAX_REASON_BYTES,
    format: 'conditionReason',
  }),
  message: f.string(3, { doc: 'Human-readable details.', maxBytes: MAX_MESSAGE_BYTES }),
};
