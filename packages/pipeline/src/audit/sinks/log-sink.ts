import type { LineWriter } from '@orch/machinery/env';
import { encodeJson } from '@orch/machinery/json';
import type { AuditEvent, AuditSink } from '../event/types.ts';

export type LogFormat = 'json' | 'legacy';

/** Writes one line; false when it is lost. */
export interface AuditLines {
  write(line: string): boolean;
  close(): Promise<void>;
}

export const lineOf = (event: AuditEvent, format: LogFormat): string =>
  format === 'json' ? `${encodeJson(event).toString()}\n` : legacyLine(event);

/** Writes events as lines, each before its request continues. */
export function logSink(lines: AuditLines, options: { format: LogFormat; isStrict: boolean }): AuditSink {
  return {
    plugin: 'log',
    isStrict: options.isStrict,
    accept: (event) => lines.write(lineOf(event, options.format)),
    close: () => lines.close(),
  };
}

/**
 * Writes lines to a descriptor whose reader may be slow, such as standard output: lines that it does not accept are
 * dropped.
 */
export const descriptorLines = (writer: LineWriter): AuditLines => ({
  write(line) {
    const before = writer.dropped;
    writer.write(line);
    return writer.dropped === before;
  },
  close: () => writer.flush(),
});

/** The legacy format: one line per event. */
function legacyLine(event: AuditEvent): string {
  const { user, impersonatedUser: as, objectRef, responseStatus } = event;
  const quoted = (text: string | undefined): string =>
    text === undefined ? '"<none>"' : JSON.stringify(text);
  const groups = (list: readonly string[] | undefined): string =>
    list === undefined ? '"<none>"' : list.map((group) => JSON.stringify(group)).join(',');
  const fields = [
    `AUDIT: id=${quoted(event.auditID)}`,
    `stage=${quoted(event.stage)}`,
    `ip=${quoted(event.sourceIPs?.[0])}`,
    `method=${quoted(event.verb)}`,
    `user=${quoted('username' in user ? (user.username as string) : undefined)}`,
    `groups=${groups('groups' in user ? (user.groups as readonly string[]) : undefined)}`,
    `as=${quoted(as?.username)}`,
    `asgroups=${groups(as?.groups)}`,
    `user-agent=${quoted(event.userAgent)}`,
    `namespace=${quoted(objectRef?.namespace)}`,
    `uri=${quoted(event.requestURI)}`,
    `response=${quoted(responseStatus === undefined ? undefined : String(responseStatus.code))}`,
  ];
  return `${event.stageTimestamp} ${fields.join(' ')}\n`;
}
