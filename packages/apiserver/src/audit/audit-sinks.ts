import { atLeast } from '@orch/apis';
import type { Env, Names } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { descriptorWrite, lineWriter } from '@orch/machinery/env';
import { ConfigFileError } from '@orch/machinery/yaml';
import {
  type AuditLines,
  type AuditOptions,
  type AuditSink,
  auditMetrics,
  auditPolicyEvaluator,
  type BatchOptions,
  BatchSink,
  defaultAuditPolicy,
  descriptorLines,
  EventSizes,
  limitedSink,
  lineOf,
  logSink,
  RotatingFile,
  readAuditPolicy,
  versionedSink,
  webhookSink,
} from '@orch/pipeline';
import { readFlagFile, StartError, writeProblem } from '@orch/program';
import type { Reloads } from '../reload/reloads.ts';
import { remotePost } from '../remote-services.ts';
import type { Settings } from '../settings/settings.ts';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;
/** Timeout for writing pending events on shutdown. */
const CLOSE_MS = 5_000;
const STDOUT = 1;

/** The audit sinks, and the policy. */
export interface Audit extends Pick<AuditOptions, 'evaluate' | 'sinks'> {
  close(): Promise<void>;
}

type AuditParts = Env & { readonly reloads: Reloads };

/**
 * Opens the sinks of the flags; undefined without any. Throws a `StartError` for files that cannot be used, also for a
 * policy without a sink.
 */
export function openAudit(settings: Settings, parts: AuditParts): Audit | undefined {
  const { names } = settings;
  const policy = policyOf(settings) ?? defaultAuditPolicy(names);
  const sinks = [logOf(settings, parts), webhookOf(settings, parts)].filter((sink) => sink !== undefined);
  if (sinks.length === 0) return undefined;
  return {
    evaluate: auditPolicyEvaluator(policy),
    sinks,
    async close() {
      using limit = withDeadline(new AbortController().signal, parts.clock, CLOSE_MS);
      await Promise.all(sinks.map((sink) => sink.close(limit.signal)));
    },
  };
}

function policyOf({ flags, names, release }: Settings) {
  const { auditPolicyFile: file } = flags;
  if (file === '') return undefined;
  const versions = atLeast(release, '1.24') ? ['v1'] : ['v1', 'v1beta1', 'v1alpha1'];
  try {
    return readAuditPolicy({ text: readFlagFile('audit-policy-file', file), file }, names, versions);
  } catch (error) {
    if (!(error instanceof ConfigFileError)) throw error;
    throw new StartError(`--audit-policy-file ${file}: ${error.message}`);
  }
}

function logOf({ flags, names }: Settings, env: Env): AuditSink | undefined {
  const { auditLogPath: path, auditLogFormat: format, auditLogMode: mode } = flags;
  if (path === '') return undefined;
  const lines = path === '-' ? descriptorLines(lineWriter(descriptorWrite(STDOUT))) : fileOf(flags, env);
  const sizes = new EventSizes();
  const sink =
    mode === 'batch'
      ? batchedLog(flags, { lines, sizes, env })
      : logSink(lines, { format, isStrict: mode === 'blocking-strict' });
  return shaped(
    sink,
    { isTruncating: flags.auditLogTruncate, maxEventBytes: flags.auditLogMaxEvent, sizes },
    { names, version: flags.auditLogVersion },
  );
}

function batchedLog(
  flags: Settings['flags'],
  { lines, sizes, env }: { readonly lines: AuditLines; readonly sizes: EventSizes; readonly env: Env },
): AuditSink {
  const metrics = auditMetrics(env.metrics);
  const {
    auditLogThrottle: isThrottled,
    auditLogThrottleQps: perSecond,
    auditLogThrottleBurst: burst,
  } = flags;
  const options = {
    bufferSize: flags.auditLogBatchBufferSize,
    maxBatchSize: flags.auditLogBatchMaxSize,
    maxWaitMs: flags.auditLogBatchMaxWait,
    throttle: isThrottled ? { perSecond, burst } : undefined,
    maxBatchBytes: maxBytes(flags.auditLogTruncate, flags.auditLogMaxBatch, sizes),
  };
  const batches = new BatchSink('log', options, {
    clock: env.clock,
    async deliver(events) {
      if (!lines.write(events.map((event) => lineOf(event, flags.auditLogFormat)).join('')))
        throw new Error('the audit log cannot be written');
    },
    lost: (count) => metrics.lost(batches, count),
  });
  return {
    plugin: batches.plugin,
    isStrict: false,
    accept: (event) => batches.accept(event),
    async close(signal) {
      await batches.close(signal);
      await lines.close();
    },
  };
}

const maxBytes = (isTruncating: boolean, most: number, sizes: EventSizes): BatchOptions['maxBatchBytes'] =>
  isTruncating ? { most, sizeOf: (event) => sizes.of(event) } : undefined;

/** A sink that receives events of its version, limited in size. */
function shaped(
  sink: AuditSink,
  limits: { readonly isTruncating: boolean; readonly maxEventBytes: number; readonly sizes: EventSizes },
  { names, version }: { readonly names: Names; readonly version: string },
): AuditSink {
  const limited = limits.isTruncating ? limitedSink(sink, limits, names) : sink;
  return version === '' ? limited : versionedSink(limited, version);
}

function fileOf(flags: Settings['flags'], env: Env): RotatingFile {
  try {
    return new RotatingFile(
      {
        path: flags.auditLogPath,
        maxBytes: flags.auditLogMaxSize * MEGABYTE,
        maxAgeMs: flags.auditLogMaxAge * DAY_MS,
        maxBackups: flags.auditLogMaxBackup,
        compress: flags.auditLogCompress,
      },
      env,
    );
  } catch (error) {
    throw new StartError(`--audit-log-path: ${writeProblem(flags.auditLogPath, error)}`);
  }
}

function webhookOf({ flags, names }: Settings, env: AuditParts): AuditSink | undefined {
  const { auditWebhookConfigFile: file, auditWebhookVersion: version } = flags;
  if (file === '') return undefined;
  const metrics = auditMetrics(env.metrics);
  const { auditWebhookThrottleQps: perSecond, auditWebhookThrottleBurst: burst } = flags;
  const sizes = new EventSizes();
  const sink: AuditSink = webhookSink(
    {
      bufferSize: flags.auditWebhookBatchBufferSize,
      maxBatchSize: flags.auditWebhookBatchMaxSize,
      maxWaitMs: flags.auditWebhookBatchMaxWait,
      throttle: flags.auditWebhookThrottle ? { perSecond, burst } : undefined,
      maxBatchBytes: maxBytes(flags.auditWebhookTruncate, flags.auditWebhookMaxBatch, sizes),
      initialBackoffMs: flags.auditWebhookInitialBackoff,
      post: remotePost('audit-webhook-config-file', file, env),
      apiVersion: version === '' ? names.apiVersion('audit', 'v1') : version,
    },
    env,
    (count) => metrics.lost(sink, count),
  );
  return shaped(
    sink,
    { isTruncating: flags.auditWebhookTruncate, maxEventBytes: flags.auditWebhookMaxEvent, sizes },
    { names, version },
  );
}
