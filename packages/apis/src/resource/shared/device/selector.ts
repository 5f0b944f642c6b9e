import {
  bindings,
  boolDecl,
  CelSyntaxError,
  type CelType,
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
import { type Check, type CheckContext, f, struct } from '@orch/schema';
import { NEWEST_RELEASE } from '../../../release.ts';
import { requiredStruct } from './required.ts';

const MAX_EXPRESSION_BYTES = 10_240;
/** The highest cost of an expression about a device. */
export const MAX_COST = 1_000_000;
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

/** What an expression about a device may return: a reason why not, undefined where it is allowed. */
type ResultRule = (type: CelType) => string | undefined;

/** The problems of an expression, and its highest estimated cost; that of one that does not compile is 0. */
export interface CheckedExpression {
  readonly problems: readonly FieldError[];
  readonly cost: number;
}

/** Compiles an expression about a device, in pieces. */
export function* checkedExpression(
  path: string,
  expression: string,
  rule: ResultRule,
): Work<CheckedExpression> {
  const refused = (problem: FieldError): CheckedExpression => ({ problems: [problem], cost: 0 });
  if (Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES)
    return refused(fieldError.tooLong(path, MAX_EXPRESSION_BYTES));
  try {
    const program = yield* compileInPieces(expression, environmentOfSelectors());
    const wrong = rule(program.resultType);
    if (wrong !== undefined) return refused(fieldError.invalid(path, expression, wrong));
    const cost = program.estimateCost().max;
    return {
      problems: cost > MAX_COST ? [fieldError.forbidden(path, 'too complex, exceeds cost limit')] : [],
      cost,
    };
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return refused(fieldError.invalid(path, expression, `compilation failed: ${error.message}`));
  }
}

/** Does work of checks at once, or leaves it to the caller. */
export function doOrPostpone(
  work: Work<readonly FieldError[]>,
  { postponed }: Pick<CheckContext, 'postponed'>,
): readonly FieldError[] {
  if (postponed === undefined) return atOnce(work);
  postponed.push(work);
  return [];
}

const truth: ResultRule = (type) =>
  type.kind === 'bool' || type.kind === 'dyn'
    ? undefined
    : `must evaluate to bool, not ${types.formatType(type)}`;

function* problemsOf(path: string, expression: string): Work<readonly FieldError[]> {
  return (yield* checkedExpression(path, expression, truth)).problems;
}

/** Expressions are compiled one after the other, so that a claim with many of them does not hold the thread. */
const checkExpression: Check<CELDeviceSelector> = ({ expression = '' }, { path, ...context }) =>
  doOrPostpone(problemsOf(`${path}.expression`, expression), context);

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
