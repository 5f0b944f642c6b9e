import type { kinds } from '@orch/client';
import { parseQuantity, type Quantity, quantityInteger, quantityNumber } from '@orch/machinery/quantity';
import type { Description } from '../text/description.ts';

type Container = kinds.core.Container;
type EnvVar = kinds.core.EnvVar;

/** The value of a field of the pod; empty for fields whose value is not known before the container runs. */
export type FieldValue = (fieldPath: string) => string;

/** The environment of a container. */
export function describeEnvironment(
  out: Description,
  container: Container,
  fieldValue: FieldValue = () => '',
): void {
  const { envFrom = [], env = [] } = container;
  if (envFrom.length > 0) out.line(2, 'Environment Variables from:');
  for (const source of envFrom) describeSource(out, source);
  out.line(2, `Environment:${env.length === 0 ? '\t<none>' : ''}`);
  for (const variable of env) describeVariable(out, variable, { container, fieldValue });
}

function describeSource(
  out: Description,
  { prefix = '', configMapRef, secretRef }: kinds.core.EnvFromSource,
): void {
  const reference = configMapRef ?? secretRef;
  const kind = configMapRef !== undefined ? 'ConfigMap' : secretRef !== undefined ? 'Secret' : '';
  const from = prefix === '' ? kind : `${kind} with prefix '${prefix}'`;
  out.line(3, reference?.name ?? '', from, `Optional: ${reference?.optional === true}`);
}

interface VariableContext {
  readonly container: Container;
  readonly fieldValue: FieldValue;
}

function describeVariable(
  out: Description,
  { name, value = '', valueFrom }: EnvVar,
  context: VariableContext,
): void {
  if (valueFrom === undefined) {
    value.split('\n').forEach((line, i) => {
      out.line(3, i === 0 ? `${name}:` : '', line);
    });
    return;
  }
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    const { apiVersion = '', fieldPath } = fieldRef;
    out.field(3, name, `${context.fieldValue(fieldPath)} (${apiVersion}:${fieldPath})`);
  } else if (resourceFieldRef !== undefined)
    out.field(3, name, `${resourceText(resourceFieldRef, context.container)} (${resourceFieldRef.resource})`);
  else if (secretKeyRef !== undefined)
    out.line(
      3,
      `${name}:`,
      `<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name}'>`,
      optional(secretKeyRef),
    );
  else if (configMapKeyRef !== undefined)
    out.line(
      3,
      `${name}:`,
      `<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name}'>`,
      optional(configMapKeyRef),
    );
}

const optional = (reference: { readonly optional?: boolean }): string =>
  `Optional: ${reference.optional === true}`;

const ZERO = '0';

/** The amount of a resource of the container in units of the divisor, rounded up. */
function resourceText(
  { resource, divisor = ZERO }: kinds.core.ResourceFieldSelector,
  { resources }: Container,
): string {
  const [kind = '', ...rest] = resource.split('.');
  const name = rest.join('.');
  const isKnown = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');
  if (!isKnown || (kind !== 'limits' && kind !== 'requests')) return '';
  const held = parseQuantity(resources?.[kind]?.[name] ?? ZERO);
  const unit = parseQuantity(divisor === ZERO ? '1' : divisor);
  const amount =
    name === 'cpu'
      ? milli(held) / milli(unit)
      : Number(quantityInteger(held)) / Number(quantityInteger(unit));
  const text = String(Math.ceil(amount));
  const isNode = text === ZERO && (resource === 'limits.cpu' || resource === 'limits.memory');
  return isNode ? 'node allocatable' : text;
}

const milli = (quantity: Quantity): number => Math.ceil(quantityNumber(quantity) * 1000);
