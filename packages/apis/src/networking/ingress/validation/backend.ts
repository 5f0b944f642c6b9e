import type { TypedLocalObjectReference } from '@orch/kinds/core';
import type { IngressBackend, IngressServiceBackend, ServiceBackendPort } from '@orch/kinds/networking';
import { type FieldError, fieldError } from '@orch/machinery';
import { validateFormat } from '@orch/machinery/formats';
import { checkFormat } from '../../../validation-rules.ts';

/** The names of a backend's fields in the version of the client. */
export interface BackendNames {
  readonly service: string;
  /** The format of names of services in the release. */
  readonly serviceFormat: 'dns1035label' | 'dns1123label';
  readonly portName: string;
  readonly portNumber: string;
}

/** Checks that a backend is either a service or another object. */
export function checkBackend(
  path: string,
  backend: IngressBackend,
  names: BackendNames,
): readonly FieldError[] {
  const { service, resource } = backend;
  if (service !== undefined && resource !== undefined) {
    return [fieldError.invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) return checkResource(`${path}.resource`, resource);
  if (service !== undefined) return checkService(path, service, names);
  return [fieldError.invalid(path, '', 'resource or service backend is required')];
}

/** The rules of the reference itself require kind and name. */
const checkResource = (path: string, reference: TypedLocalObjectReference): readonly FieldError[] =>
  [
    ['apiGroup', 'dns1123subdomain'] as const,
    ['kind', 'pathSegment'] as const,
    ['name', 'pathSegment'] as const,
  ].flatMap(([field, format]) => {
    const text = reference[field] ?? '';
    // An empty group is not the core group, which is named by an absent field.
    const isAbsent = field === 'apiGroup' ? (reference.apiGroup ?? undefined) === undefined : text === '';
    const wrong = isAbsent ? undefined : validateFormat(format, text);
    return wrong === undefined ? [] : [fieldError.invalid(`${path}.${field}`, text, wrong)];
  });

function checkService(
  path: string,
  service: IngressServiceBackend,
  names: BackendNames,
): readonly FieldError[] {
  const at = `${path}.${names.service}`;
  const name = service.name ?? '';
  return [
    ...(name === '' ? [fieldError.required(at)] : checkFormat(names.serviceFormat, at, name)),
    ...checkPort(path, service.port ?? {}, names),
  ];
}

function checkPort(path: string, port: ServiceBackendPort, names: BackendNames): readonly FieldError[] {
  const name = port.name ?? '';
  const number = port.number ?? 0;
  if (name !== '' && number !== 0) {
    return [fieldError.invalid(path, '', 'cannot set both port name & port number')];
  }
  if (name !== '') return checkFormat('portName', `${path}.${names.portName}`, name);
  if (number !== 0) return checkFormat('portNumber', `${path}.${names.portNumber}`, number);
  return [fieldError.required(path, 'port name or number is required')];
}
