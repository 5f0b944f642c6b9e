import type { Event } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names } from '@orch/machinery';
import { checkFormat } from '../../validation-rules.ts';

const MAX_NAME = 128;
const MAX_MESSAGE = 1024;

const checkText = (path: string, text: string): readonly FieldError[] => {
  if (text === '') return [fieldError.required(path)];
  return text.length > MAX_NAME
    ? [fieldError.invalid(path, '', `can have at most ${MAX_NAME} characters`)]
    : [];
};

/** The field that errors name for the reporter of a new event. */
export type ReporterPath = 'reportingController' | 'reportingComponent';

/**
 * Checks an event. One without an `eventTime` is in the namespace of its involved object; one with it has a reporter and the other
 * fields of new events, and names the namespace of its object outside of the namespaces that may lack one (facts: validation, Event).
 */
export function validateEvent(event: Event, names: Names, reporter: ReporterPath): readonly FieldError[] {
  const about = event.involvedObject?.namespace ?? '';
  const namespace = event.metadata.namespace ?? '';
  const isNew = typeof event.eventTime === 'string';
  const unscoped = ['', names.namespaces.default, ...(isNew ? [names.namespaces.system] : [])];
  const isWrong = about === '' ? !unscoped.includes(namespace) : !isNew && about !== namespace;
  const errors = isWrong
    ? [fieldError.invalid('involvedObject.namespace', about, 'does not match event.namespace')]
    : [];
  if (!isNew) return errors;
  const controller = event.reportingComponent ?? '';
  const message = event.message ?? '';
  return [
    ...errors,
    ...(controller === '' ? [fieldError.required(reporter)] : []),
    ...checkFormat('qualifiedName', reporter, controller),
    ...checkText('reportingInstance', event.reportingInstance ?? ''),
    ...checkText('action', event.action ?? ''),
    ...checkText('reason', event.reason ?? ''),
    ...(message.length > MAX_MESSAGE
      ? [fieldError.invalid('message', '', `can have at most ${MAX_MESSAGE} characters`)]
      : []),
  ];
}
