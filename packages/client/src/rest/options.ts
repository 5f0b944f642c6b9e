import { queryOf } from './paths.ts';
import { RefusedRequest } from './refused-request.ts';
import { fieldText, labelText } from './selection.ts';
import type { ApplyOptions, DeleteOptions, ListOptions, WatchOptions, WriteOptions } from './types.ts';

export const listQuery = (options: ListOptions): string =>
  queryOf({
    labelSelector: labelText(options.labelSelector),
    fieldSelector: fieldText(options.fieldSelector),
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    limit: options.limit,
    continue: options.continue,
  });

export const watchQuery = (options: WatchOptions): string =>
  queryOf({
    watch: true,
    labelSelector: labelText(options.labelSelector),
    fieldSelector: fieldText(options.fieldSelector),
    resourceVersion: options.resourceVersion,
    resourceVersionMatch: options.resourceVersionMatch,
    allowWatchBookmarks: options.allowBookmarks === true ? true : undefined,
    sendInitialEvents: options.sendInitialEvents,
    timeoutSeconds: options.timeoutSeconds,
  });

/** Refuses a `dryRun` that is no boolean: JavaScript does not check types, and a dry run must never become a write. */
function isTrial(dryRun: unknown): boolean {
  if (dryRun === undefined || typeof dryRun === 'boolean') return dryRun === true;
  throw new RefusedRequest('dryRun: must be true or false');
}

export const writeQuery = (options: WriteOptions): string =>
  queryOf({
    dryRun: isTrial(options.dryRun) ? 'All' : undefined,
    fieldManager: options.fieldManager,
    fieldValidation: options.fieldValidation,
  });

export function applyQuery(options: ApplyOptions): string {
  if (options.fieldManager === '') throw new RefusedRequest('fieldManager: is required for apply');
  return queryOf({
    dryRun: isTrial(options.dryRun) ? 'All' : undefined,
    fieldManager: options.fieldManager,
    force: options.force === true ? true : undefined,
    fieldValidation: options.fieldValidation,
  });
}

/** The body of a deletion; undefined for the defaults of the server. */
export function deleteBody(options: DeleteOptions): object | undefined {
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun } = options;
  const wanted = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(isTrial(dryRun) ? { dryRun: ['All'] } : {}),
  };
  return Object.keys(wanted).length === 0
    ? undefined
    : { kind: 'DeleteOptions', apiVersion: 'v1', ...wanted };
}
