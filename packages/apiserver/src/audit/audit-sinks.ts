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
  SharedFile,
  versionedSink,
  webhookSink,
} from '@orch/pipeline';
import { readFlagFile, StartError, writeProblem } from '@orch/program';
import type { Reloads } from '../reload/reloads.ts';
import { remotePost } from '../remote-services.ts';
import type { Settings } from '../settings/settings.ts';
import type { AuditOfThreads, ServedAudit } from '../threads/audit-of-threads.ts';

const MEGABYTE = 1024 * 1024;
const DAY_MS = 86_400_000;
/** Timeout for writing pending events on shutdown. */
const CLOSE_MS = 5_000;
const STDOUT = 1;

/** The audit sinks, and the policy. */
export interface Audit extends Pick<AuditOptions, 'evaluate' | 'sinks'> {
  /** For the further threads of the process. */
  readonly served: ServedAudit;
  close(): Promise<void>;
}

type AuditParts = Env & { readonly reloads: Reloads; readonly shared?: AuditOfThreads };

/**
 * Opens the sinks of the flags; undefined without any. Throws a `StartError` for files that cannot be used, also for a
 * policy without a sink.
 */
export function openAudit(settings: Settings, parts: AuditParts): Audit | undefined {
  const { names } = settings;
  const policy = policyOf(settings) ?? defaultAuditPolicy(names);
  const log = logOf(settings, parts);
  const sinks = [log?.sink, webhookOf(settings, parts)].filter((sink) => sink !== undefined);
  if (sinks.length === 0) return undefined;
  return {
    evaluate: auditPolicyEvaluator(policy),
    sinks,
    served: log?.served ?? noServedAudit,
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

/** The sink of `--audit-log-path`. */
interface AuditLog {
  readonly sink: AuditSink;
  readonly served: ServedAudit;
}

const noServedAudit: ServedAudit = { write: () => undefined, rotated: () => undefined };

function logOf({ flags, names }: Settings, env: AuditParts): AuditLog | undefined {
  const { auditLogPath: path, auditLogFormat: format, auditLogMode: mode } = flags;
  if (path === '') return undefined;
  const { lines, served } = path === '-' ? outputOf(env) : fileOf(flags, env);
  const sizes = new EventSizes();
  const sink =
    mode === 'batch'
      ? batchedLog(flags, { lines, sizes, env })
      : logSink(lines, { format, isStrict: mode === 'blocking-strict' });
  const limits = { isTruncating: flags.auditLogTruncate, maxEventBytes: flags.auditLogMaxEvent, sizes };
  return { sink: shaped(sink, limits, { names, version: flags.auditLogVersion }), served };
}

interface OpenedLines {
  readonly lines: AuditLines;
  readonly served: ServedAudit;
}

/** Standard output, which the first thread writes. */
function outputOf({ shared, metrics }: AuditParts): OpenedLines {
  const { lost } = auditMetrics(metrics);
  const lines = shared?.first?.lines ?? descriptorLines(lineWriter(descriptorWrite(STDOUT)));
  const write = (text: string): void => {
    if (!lines.write(text)) lost({ plugin: 'log' }, text.split('\n').length - 1);
  };
  return { lines, served: { ...noServedAudit, write } };
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
    throttle: isThrottled ? shareOf({ perSecond, burst }, flags.threads) : undefined,
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

type Throttle = NonNullable<BatchOptions['throttle']>;

/** The part of one thread in a limit of the process. */
const shareOf = ({ perSecond, burst }: Throttle, threads: number): Throttle => ({
  perSecond: perSecond / threads,
  burst: Math.ceil(burst / threads),
});

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

function fileOf(flags: Settings['flags'], env: AuditParts): OpenedLines {
  const { memory, first } = env.shared ?? {};
  try {
    const lines = new RotatingFile(
      {
        path: flags.auditLogPath,
        maxBytes: flags.auditLogMaxSize * MEGABYTE,
        maxAgeMs: flags.auditLogMaxAge * DAY_MS,
        maxBackups: flags.auditLogMaxBackup,
        compress: flags.auditLogCompress,
        shared: memory !== undefined && flags.threads > 1 ? new SharedFile(memory) : undefined,
        onRotated: first === undefined ? undefined : () => first.rotated(),
      },
      env,
    );
    return { lines, served: { ...noServedAudit, rotated: () => lines.tidy() } };
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
      throttle: flags.auditWebhookThrottle ? shareOf({ perSecond, burst }, flags.threads) : undefined,
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
