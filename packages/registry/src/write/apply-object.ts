import { ApiError, errors } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { isLarge } from '@orch/machinery/json';
import type { WritePath } from '../context/paths.ts';
import { readConfig, readLargeConfig } from '../request/applied-config.ts';
import type { ApplyRequest } from '../request/read-write-request.ts';
import { addWarnings } from '../request/reply.ts';
import { writeOptionsObject } from '../request/write-options.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { requireCreatePermission } from './additional-permission.ts';
import { type Applying, decideApply, decodeApplied, identityOf, mergingConfig } from './apply-config.ts';
import { changeObject } from './change-object.ts';
import { createObject, type StoredState } from './create-object.ts';
import type { WriteOutcome } from './replace-object.ts';
import { uidConflict } from './rules/object-meta.ts';
import type { UpdateRules } from './rules/update-rules.ts';

/**
 * Maximum number of times an apply alternates between change and creation while other clients create and delete the
 * object.
 */
const MAX_ATTEMPTS = 8;

/** Merges a configuration into the object when it exists, else creates the object from it. */
export async function applyObject(
  path: WritePath,
  resource: StoredResource,
  sent: ApplyRequest,
  rules: UpdateRules,
): Promise<WriteOutcome> {
  const { call, options, writer } = sent;
  const { info, request, user } = call;
  const { name, namespace } = info;
  const size = sent.bytes.length;
  if (isLarge(size)) await path.turns.begin();
  const expected = { kind: resource.type.kind, apiVersion: resource.apiVersion };
  const config = isLarge(size)
    ? await readLargeConfig({ bytes: sent.bytes, signal: request.signal }, { ...options, expected }, path)
    : readConfig(sent.bytes, expected, options);
  if (options.fieldValidation === 'Warn') addWarnings(call.trace, config.warnings);
  const applying: Applying = { sent: config, writer, options, name, namespace };
  const decision = { applying, user, rules, trace: call.trace };
  for (let attempt = 1; ; attempt++) {
    const changed = await changeObject(path, resource, {
      key: keyOf(resource, info),
      name,
      user,
      admittedAs: { operation: 'UPDATE', subresource: info.subresource },
      dryRun: options.dryRun,
      signal: request.signal,
      trace: call.trace,
      requestOptions: writeOptionsObject('UpdateOptions', request, path.names),
      size,
      decide: (current) => decideApply(path, resource, current, decision),
    });
    if (changed !== undefined) return { kind: 'changed', changed };
    const created = await createApplied(path, resource, sent, applying);
    if (created !== undefined) return { kind: 'created', state: created };
    if (attempt === MAX_ATTEMPTS)
      throw errors.conflict(
        subjectOf(resource, name),
        'the object is being created and deleted too often; please try again',
      );
  }
}

/** Creates the object from the configuration. Undefined when another client created it first. */
async function createApplied(
  path: WritePath,
  resource: StoredResource,
  { call, bytes }: ApplyRequest,
  applying: Applying,
): Promise<StoredState | undefined> {
  const { info, user, request } = call;
  const { sent, writer, options, name, namespace } = applying;
  const subject = subjectOf(resource, name);
  const { uid, resourceVersion } = identityOf(sent, { resource, name, namespace });
  // A uid or a resourceVersion refers to an object that no longer exists; a subresource creates nothing.
  if (uid !== '') throw uidConflict(subject, uid, undefined);
  if (info.subresource !== '' || (resourceVersion !== '' && resourceVersion !== '0'))
    throw errors.notFound(subject);
  await requireCreatePermission(path, call);
  const size = bytes.length;
  const run = <T>(work: Work<T>): T | Promise<T> => (isLarge(size) ? path.turns.run(work) : atOnce(work));
  const result = await run(mergingConfig(path, resource, applying, undefined));
  const { object, owners } = await run(decodeApplied(resource, result, applying, undefined));
  const { dryRun } = options;
  const { signal } = request;
  try {
    return await createObject(path, resource, object, {
      namespace,
      user,
      writer,
      owners,
      dryRun,
      signal,
      trace: call.trace,
      requestOptions: writeOptionsObject('CreateOptions', request, path.names),
      size,
    });
  } catch (cause) {
    if (cause instanceof ApiError && cause.status.reason === 'AlreadyExists') return undefined;
    throw cause;
  }
}
