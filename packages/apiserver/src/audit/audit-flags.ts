import { namesFor, namings } from '@orch/machinery';
import { choiceFlag, durationFlag, numberFlag, switchFlag, textFlag, wholeFlag } from '@orch/program';

const audit = (name: string, help: string) => ({ name, help, section: 'Audit' });
const size = { least: 1, most: 1_000_000 };
const count = { least: 0, most: 1_000_000 };

/** The only version that events are written in, under the name of either naming. */
const versionFlag = (name: string) =>
  choiceFlag(
    audit(name, 'Version of the events; that of --naming when empty.'),
    ['', ...namings.map((naming) => namesFor(naming).apiVersion('audit', 'v1'))],
    '',
  );

const MEBIBYTE = 1024 * 1024;
const bytes = { least: 1, most: 1024 * MEBIBYTE };

/** What becomes of events and batches that are large, for one of the two ways. */
const truncateFlags = (way: 'log' | 'webhook') =>
  [
    switchFlag(
      audit(
        `audit-${way}-truncate-enabled`,
        'Whether events that are too large lose their objects, and batches that are too large are split.',
      ),
    ),
    wholeFlag(
      audit(
        `audit-${way}-truncate-max-event-size`,
        'Bytes of an event above which it loses its objects; one that is larger without them is lost.',
      ),
      100 * 1024,
      bytes,
    ),
    wholeFlag(
      audit(
        `audit-${way}-truncate-max-batch-size`,
        'Bytes of the events of a batch above which it is split.',
      ),
      10 * MEBIBYTE,
      bytes,
    ),
  ] as const;

const [logTruncate, logMaxEvent, logMaxBatch] = truncateFlags('log');
const [webhookTruncate, webhookMaxEvent, webhookMaxBatch] = truncateFlags('webhook');
const rate = { least: 0, most: 1_000_000 };

/** Flags about what is written down of requests, and where. */
export const auditFlags = {
  auditPolicyFile: textFlag(
    audit(
      'audit-policy-file',
      'YAML file that says what is written down of which requests. Without one, who did what, and the objects of changes, but nothing of secrets, config maps and tokens.',
    ),
  ),
  auditLogPath: textFlag(
    audit(
      'audit-log-path',
      'File that requests are written down in; - for standard output. None when empty.',
    ),
  ),
  auditLogFormat: choiceFlag(
    audit('audit-log-format', 'One JSON object in a line, or the older line for people.'),
    ['json', 'legacy'],
    'json',
  ),
  auditLogMode: choiceFlag(
    audit(
      'audit-log-mode',
      'Whether a request goes on when its event is written (blocking), is refused when it cannot be (blocking-strict), or waits for nothing (batch).',
    ),
    ['blocking', 'blocking-strict', 'batch'],
    'blocking',
  ),
  auditLogMaxAge: wholeFlag(
    audit('audit-log-maxage', 'Days that log files that were put aside are kept; 0 for ever.'),
    0,
    count,
  ),
  auditLogMaxBackup: wholeFlag(
    audit('audit-log-maxbackup', 'Log files that were put aside and are kept at most; 0 for all.'),
    0,
    count,
  ),
  auditLogMaxSize: wholeFlag(
    audit('audit-log-maxsize', 'Megabytes at which a log file is put aside; 0 for 100.'),
    0,
    count,
  ),
  auditLogCompress: switchFlag(
    audit('audit-log-compress', 'Whether log files that are put aside are packed with gzip.'),
  ),
  auditLogTruncate: logTruncate,
  auditLogMaxEvent: logMaxEvent,
  auditLogMaxBatch: logMaxBatch,
  auditLogVersion: versionFlag('audit-log-version'),
  auditLogBatchBufferSize: wholeFlag(
    audit('audit-log-batch-buffer-size', 'Events that wait at most for the log, in the mode batch.'),
    10_000,
    size,
  ),
  auditLogBatchMaxSize: wholeFlag(
    audit('audit-log-batch-max-size', 'Events that are written to the log at once, in the mode batch.'),
    1,
    size,
  ),
  auditLogBatchMaxWait: durationFlag(
    audit('audit-log-batch-max-wait', 'How long an event waits for others, in the mode batch.'),
    0,
  ),
  auditLogThrottle: switchFlag(
    audit(
      'audit-log-batch-throttle-enable',
      'Whether there is a limit to batches in a time, in the mode batch.',
    ),
  ),
  auditLogThrottleQps: numberFlag(
    audit('audit-log-batch-throttle-qps', 'Batches in a second in the long run, where that is limited.'),
    0,
    rate,
  ),
  auditLogThrottleBurst: wholeFlag(
    audit(
      'audit-log-batch-throttle-burst',
      'Batches that may go at once after a pause, where that is limited.',
    ),
    0,
    count,
  ),
  auditWebhookConfigFile: textFlag(
    audit('audit-webhook-config-file', 'Client configuration file of the service that events are sent to.'),
  ),
  auditWebhookMode: choiceFlag(
    audit('audit-webhook-mode', 'How events are sent; requests never wait for it.'),
    ['batch'],
    'batch',
  ),
  auditWebhookTruncate: webhookTruncate,
  auditWebhookMaxEvent: webhookMaxEvent,
  auditWebhookMaxBatch: webhookMaxBatch,
  auditWebhookVersion: versionFlag('audit-webhook-version'),
  auditWebhookBatchBufferSize: wholeFlag(
    audit('audit-webhook-batch-buffer-size', 'Events that wait at most; further ones are lost and counted.'),
    10_000,
    size,
  ),
  auditWebhookBatchMaxSize: wholeFlag(
    audit('audit-webhook-batch-max-size', 'Events that are sent at once.'),
    400,
    size,
  ),
  auditWebhookBatchMaxWait: durationFlag(
    audit('audit-webhook-batch-max-wait', 'How long an event waits for others to be sent with.'),
    30_000,
  ),
  auditWebhookThrottle: switchFlag(
    audit('audit-webhook-batch-throttle-enable', 'Whether there is a limit to batches in a time.'),
    true,
  ),
  auditWebhookThrottleQps: numberFlag(
    audit('audit-webhook-batch-throttle-qps', 'Batches in a second in the long run.'),
    10,
    { least: 0.001, most: 1_000_000 },
  ),
  auditWebhookThrottleBurst: wholeFlag(
    audit('audit-webhook-batch-throttle-burst', 'Batches that may go at once after a pause.'),
    15,
    size,
  ),
  auditWebhookInitialBackoff: durationFlag(
    audit('audit-webhook-initial-backoff', 'How long to wait before a batch that failed is sent again.'),
    10_000,
  ),
} as const;
