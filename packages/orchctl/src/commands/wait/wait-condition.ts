import type { ApiObject } from '@orch/machinery';
import { asNumber, asObjects, asText, statusOf } from '@orch/machinery/json';
import { UsageError } from '@orch/program/flags';
import { CommandError } from '../../command-error.ts';
import { parseJsonPathTemplate, relaxed, templateValues, valueText } from '../../print/json-path-template.ts';

/** The condition that `--for` waits for. */
export type WaitCondition =
  | { readonly kind: 'delete' | 'create' }
  | { readonly kind: 'object'; isMet(object: ApiObject): boolean };

/** Reads the value of `--for`. Throws a UsageError. */
export function parseWaitCondition(text: string): WaitCondition {
  const lower = text.toLowerCase();
  if (lower === 'delete' || lower === 'create') return { kind: lower };
  const [name, ...rest] = text.split('=');
  const argument = rest.join('=');
  if (name === 'condition' && argument !== '') return conditionOf(argument);
  if (name === 'jsonpath' && argument !== '') return pathCondition(argument);
  throw new UsageError(`unrecognized condition: ${JSON.stringify(text)}`);
}

function conditionOf(argument: string): WaitCondition {
  const at = argument.indexOf('=');
  const type = (at < 0 ? argument : argument.slice(0, at)).toLowerCase();
  const wanted = (at < 0 ? 'true' : argument.slice(at + 1)).toLowerCase();
  return {
    kind: 'object',
    isMet(object) {
      const condition = asObjects(statusOf(object)['conditions']).find(
        (one) => asText(one['type']).toLowerCase() === type,
      );
      if (condition === undefined) return false;
      // A condition of an older generation is not about the current spec.
      const observed = condition['observedGeneration'] ?? statusOf(object)['observedGeneration'];
      if (observed !== undefined && asNumber(observed) < (object.metadata.generation ?? 0)) return false;
      return asText(condition['status']).toLowerCase() === wanted;
    },
  };
}

/** `{.status.phase}=Running`, `.status.phase=Running`, or `{.status.loadBalancer.ingress}` for any value. */
function pathCondition(argument: string): WaitCondition {
  const parts = /^(\{.*\}|[^{=][^=]*)(?:=(.*))?$/s.exec(argument.replace(/^(['"])(.*)\1$/s, '$2'));
  if (parts === null) throw new UsageError(`jsonpath wait format must be --for=jsonpath='{...}'=value`);
  const [, path = '', quoted] = parts;
  const wanted = quoted?.replace(/^(['"])(.*)\1$/s, '$2');
  if (wanted === '') throw new UsageError('jsonpath wait has to have a value after =');
  const template = parseJsonPathTemplate(path.includes('{') ? path : `{${relaxed(path)}}`);
  return {
    kind: 'object',
    isMet(object) {
      const values = templateValues(template, object);
      if (values.length === 0) return false;
      if (wanted === undefined) return true;
      if (values.length > 1) throw new CommandError('given jsonpath expression matches more than one value');
      const [value] = values;
      if (typeof value === 'object' && value !== null)
        throw new CommandError('jsonpath leads to a nested object or list, which cannot be compared');
      return valueText(value) === wanted;
    },
  };
}
