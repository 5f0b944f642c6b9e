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

/**
 * Checks that an event is in the namespace of its involved object, and that one with an `eventTime` also has a
 * reporting controller and the other fields of new events (facts: validation, Event).
 */
export function validateEvent(event: Event, names: Names): readonly FieldError[] {
  const about = event.involvedObject?.namespace ?? '';
  const namespace = event.metadata.namespace ?? '';
  const isNew = typeof event.eventTime === 'string';
  const unscoped = ['', names.namespaces.default, ...(isNew ? [names.namespaces.system] : [])];
  const errors: FieldError[] = [];
  if (about === '' ? !unscoped.includes(namespace) : about !== namespace) {
    errors.push(fieldError.invalid('involvedObject.namespace', about, 'does not match event.namespace'));
  }
  if (!isNew) return errors;
  const controller = event.reportingComponent ?? '';
  const message = event.message ?? '';
  // For compatibility, errors use the newer name of the field.
  const path = 'reportingController';
  return [
    ...errors,
    ...(controller === '' ? [fieldError.required(path)] : []),
    ...checkFormat('qualifiedName', path, controller),
    ...checkText('reportingInstance', event.reportingInstance ?? ''),
    ...checkText('action', event.action ?? ''),
    ...checkText('reason', event.reason ?? ''),
    ...(message.length > MAX_MESSAGE
      ? [fieldError.invalid('message', '', `can have at most ${MAX_MESSAGE} characters`)]
      : []),
  ];
}
