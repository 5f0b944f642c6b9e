import { namesFor, namings } from '@orch/machinery';
import { choiceFlag, durationFlag, numberFlag, switchFlag, textFlag, wholeFlag } from '@orch/program';

const audit = (name: string, help: string) => ({ name, help, section: 'Audit' });
const size = { least: 1, most: 1_000_000 };
const count = { least: 0, most: 1_000_000 };

/** The only version of written events, in both namings. */
const versionFlag = (name: string) =>
  choiceFlag(
    audit(name, 'API version of the events; the default of --naming when empty.'),
    ['', ...namings.map((naming) => namesFor(naming).apiVersion('audit', 'v1'))],
    '',
  );

const MEBIBYTE = 1024 * 1024;
const bytes = { least: 1, most: 1024 * MEBIBYTE };

/** Flags about the size of events and batches of one audit backend. */
const truncateFlags = (way: 'log' | 'webhook') =>
  [
    switchFlag(
      audit(
        `audit-${way}-truncate-enabled`,
        'Truncate events that are too large, and split batches that are too large.',
      ),
    ),
    wholeFlag(
      audit(
        `audit-${way}-truncate-max-event-size`,
        'Maximum size of an event in bytes: larger events lose their objects, and are dropped when they are still too large.',
      ),
      100 * 1024,
      bytes,
    ),
    wholeFlag(
      audit(
        `audit-${way}-truncate-max-batch-size`,
        'Maximum size of a batch in bytes; larger batches are split.',
      ),
      10 * MEBIBYTE,
      bytes,
    ),
  ] as const;

const [logTruncate, logMaxEvent, logMaxBatch] = truncateFlags('log');
const [webhookTruncate, webhookMaxEvent, webhookMaxBatch] = truncateFlags('webhook');
const rate = { least: 0, most: 1_000_000 };

/** Flags of the audit: policy, log and webhook. */
export const auditFlags = {
  auditPolicyFile: textFlag(
    audit(
      'audit-policy-file',
      'YAML file with the audit policy. The default policy records metadata of requests and the objects of changes, without the content of secrets, config maps and tokens.',
    ),
  ),
  auditLogPath: textFlag(
    audit('audit-log-path', 'File for audit events; - for standard output. None when empty.'),
  ),
  auditLogFormat: choiceFlag(
    audit(
      'audit-log-format',
      'Format of the log: one JSON object per line (json), or the older text lines (legacy).',
    ),
    ['json', 'legacy'],
    'json',
  ),
  auditLogMode: choiceFlag(
    audit(
      'audit-log-mode',
      'How events are written: before the request continues (blocking), also refusing requests whose event cannot be written (blocking-strict), or in the background (batch).',
    ),
    ['blocking', 'blocking-strict', 'batch'],
    'blocking',
  ),
  auditLogMaxAge: wholeFlag(
    audit('audit-log-maxage', 'Maximum age of rotated log files in days; 0 for no limit.'),
    0,
    count,
  ),
  auditLogMaxBackup: wholeFlag(
    audit('audit-log-maxbackup', 'Maximum number of rotated log files; 0 for no limit.'),
    0,
    count,
  ),
  auditLogMaxSize: wholeFlag(
    audit('audit-log-maxsize', 'Size in megabytes at which the log file is rotated; 0 for 100.'),
    0,
    count,
  ),
  auditLogCompress: switchFlag(audit('audit-log-compress', 'Compress rotated log files with gzip.')),
  auditLogTruncate: logTruncate,
  auditLogMaxEvent: logMaxEvent,
  auditLogMaxBatch: logMaxBatch,
  auditLogVersion: versionFlag('audit-log-version'),
  auditLogBatchBufferSize: wholeFlag(
    audit(
      'audit-log-batch-buffer-size',
      'Maximum number of events that wait for the log, in the mode batch.',
    ),
    10_000,
    size,
  ),
  auditLogBatchMaxSize: wholeFlag(
    audit('audit-log-batch-max-size', 'Maximum number of events per batch of the log, in the mode batch.'),
    1,
    size,
  ),
  auditLogBatchMaxWait: durationFlag(
    audit('audit-log-batch-max-wait', 'Maximum time before a batch is written, in the mode batch.'),
    0,
  ),
  auditLogThrottle: switchFlag(
    audit('audit-log-batch-throttle-enable', 'Limit the rate of batches, in the mode batch.'),
  ),
  auditLogThrottleQps: numberFlag(
    audit(
      'audit-log-batch-throttle-qps',
      'Maximum average number of batches per second, where the rate is limited.',
    ),
    0,
    rate,
  ),
  auditLogThrottleBurst: wholeFlag(
    audit('audit-log-batch-throttle-burst', 'Maximum burst of batches, where the rate is limited.'),
    0,
    count,
  ),
  auditWebhookConfigFile: textFlag(
    audit('audit-webhook-config-file', 'Client configuration file for the webhook that receives events.'),
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
    audit(
      'audit-webhook-batch-buffer-size',
      'Maximum number of events that wait for the webhook; further events are dropped and counted.',
    ),
    10_000,
    size,
  ),
  auditWebhookBatchMaxSize: wholeFlag(
    audit('audit-webhook-batch-max-size', 'Maximum number of events per batch of the webhook.'),
    400,
    size,
  ),
  auditWebhookBatchMaxWait: durationFlag(
    audit('audit-webhook-batch-max-wait', 'Maximum time before a batch is sent.'),
    30_000,
  ),
  auditWebhookThrottle: switchFlag(
    audit('audit-webhook-batch-throttle-enable', 'Limit the rate of batches.'),
    true,
  ),
  auditWebhookThrottleQps: numberFlag(
    audit('audit-webhook-batch-throttle-qps', 'Maximum average number of batches per second.'),
    10,
    { least: 0.001, most: 1_000_000 },
  ),
  auditWebhookThrottleBurst: wholeFlag(
    audit('audit-webhook-batch-throttle-burst', 'Maximum burst of batches.'),
    15,
    size,
  ),
  auditWebhookInitialBackoff: durationFlag(
    audit('audit-webhook-initial-backoff', 'Delay before the first retry of a failed batch.'),
    10_000,
  ),
} as const;
