import type { PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';

const ofNode = ['hostNetwork', 'hostPID', 'hostIPC'] as const;

/** Checks that a pod with its own user namespace shares no other namespace with the node. */
export const checkHostUsers = (path: string, spec: PodSpec): readonly FieldError[] =>
  spec.hostUsers === false
    ? ofNode
        .filter((field) => spec[field] === true)
        .map((field) => fieldError.forbidden(`${path}.${field}`, 'when `hostUsers` is false'))
    : [];
