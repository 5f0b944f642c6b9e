import {
  bindings,
  boolDecl,
  CelSyntaxError,
  compileInPieces,
  type DeclType,
  type Environment,
  environmentOf,
  mapDecl,
  objectDecl,
  quantityType,
  types,
  valueDecl,
} from '@orch/cel';
import type { CELDeviceSelector } from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import { atOnce, type Work } from '@orch/machinery/concurrency';
import { type Check, f, struct } from '@orch/schema';
import { NEWEST_RELEASE } from '../../../release.ts';
import { requiredStruct } from './required.ts';

const MAX_EXPRESSION_BYTES = 10_240;
const MAX_COST = 1_000_000;
const MAX_NAME_BYTES = 63;
const MAX_VALUE_BYTES = 64;
const MAX_ENTRIES = 32;

const byName = (value: DeclType): DeclType => mapDecl(mapDecl(value, MAX_ENTRIES), MAX_ENTRIES);

/** Attributes and capacities are by domain and then by name. The type of an attribute is only known with its value. */
const deviceDecl = objectDecl('Device', {
  driver: { type: { kind: 'string', maxElements: MAX_NAME_BYTES, minSize: 2 } },
  attributes: { type: byName({ kind: 'dyn', maxElements: MAX_VALUE_BYTES, minSize: 1 }) },
  capacity: { type: byName(valueDecl(quantityType)) },
  allowMultipleAllocations: { type: boolDecl },
});

let environment: Environment | undefined;

const environmentOfSelectors = (): Environment => {
  environment ??= environmentOf(NEWEST_RELEASE, [bindings]).extend({ device: deviceDecl });
  return environment;
};

function* problemsOf(path: string, expression: string): Work<readonly FieldError[]> {
  try {
    const program = yield* compileInPieces(expression, environmentOfSelectors());
    const { resultType } = program;
    if (resultType.kind !== 'bool' && resultType.kind !== 'dyn')
      return [
        fieldError.invalid(path, expression, `must evaluate to bool, not ${types.formatType(resultType)}`),
      ];
    return program.estimateCost().max > MAX_COST
      ? [fieldError.forbidden(path, 'too complex, exceeds cost limit')]
      : [];
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return [fieldError.invalid(path, expression, `compilation failed: ${error.message}`)];
  }
}

/** Expressions are compiled one after the other, so that a claim with many of them does not hold the thread. */
const checkExpression: Check<CELDeviceSelector> = ({ expression = '' }, { path, postponed }) => {
  const at = `${path}.expression`;
  if (Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES)
    return [fieldError.tooLong(at, MAX_EXPRESSION_BYTES)];
  const work = problemsOf(at, expression);
  if (postponed === undefined) return atOnce(work);
  postponed.push(work);
  return [];
};

const CELSelector = struct(
  'resource.v1.CELDeviceSelector',
  'Selects devices by an expression.',
  {
    expression: f.string(1, {
      doc: 'Expression that is true for the selected devices. Its variable `device` has the fields driver, attributes, capacity and allowMultipleAllocations.',
      presence: 'always',
    }),
  },
  { checks: [checkExpression] },
);

export const DeviceSelector = struct(
  'resource.v1.DeviceSelector',
  'Selects devices in one of several ways.',
  { cel: f.struct(1, CELSelector, { doc: 'By an expression.', presence: 'pointer' }) },
  { checks: [requiredStruct('cel')] },
);

const MAX_SELECTORS = 32;

/** The field with the selectors of a class or a request. */
export const selectorsField = (num: number) =>
  f.list(num, DeviceSelector, {
    doc: 'Conditions that a device must satisfy, all of them.',
    listType: 'atomic',
    maxItems: MAX_SELECTORS,
  });
