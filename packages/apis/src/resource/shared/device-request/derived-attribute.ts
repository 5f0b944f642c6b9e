import { type CelType, types } from '@orch/cel';
import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceDerivedAttribute,
  DeviceRequest,
  DeviceRequestV1beta1,
} from '@orch/kinds/resource';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { type Check, type CheckContext, f, struct } from '@orch/schema';
import { checkUnique } from '../../../validation-rules.ts';
import { checkFullyQualifiedName } from '../device/names.ts';
import { checkedExpression, doOrPostpone, MAX_COST } from '../device/selector.ts';

const MAX_DERIVED = 32;
const SEMVER = /\.Semver$/;

const checkName: Check<DeviceDerivedAttribute> = ({ name = '' }, { path }) =>
  name === '' ? [] : checkFullyQualifiedName(`${path}.name`, name);

const DerivedAttribute = struct(
  'resource.v1.DeviceDerivedAttribute',
  'An attribute that is computed for each device that a request may get.',
  {
    name: f.string(1, {
      doc: 'Name of the attribute, by which constraints refer to it: a domain, a slash and an identifier.',
      presence: 'always',
      required: true,
    }),
    expression: f.string(2, {
      doc: 'Expression for the value: a scalar, or a list of them. Its variable `device` is that of selectors.',
      presence: 'always',
      required: true,
    }),
  },
  { checks: [checkName] },
);

/** The field with the computed attributes of a request. */
export const derivedAttributesField = (num: number) =>
  f.list(num, DerivedAttribute, {
    doc: 'Attributes that are computed for each device, each of which a constraint refers to.',
    listType: 'atomic',
    maxItems: MAX_DERIVED,
    gate: 'DRADerivedAttributes',
    since: 'never',
  });

/** Attributes of a request or an alternative, the place where they are, and the names by which constraints mean it. */
interface Derived {
  readonly path: string;
  readonly attributes: readonly DeviceDerivedAttribute[];
  readonly names: readonly string[];
}

type AnyRequest = DeviceRequest & Pick<DeviceRequestV1beta1, 'derivedAttributes'>;

function derivedOf(request: AnyRequest, path: string): readonly Derived[] {
  const { name = '', exactly, derivedAttributes = [], firstAvailable = [] } = request;
  return [
    { path, attributes: derivedAttributes, names: [name] },
    { path: `${path}.exactly`, attributes: exactly?.derivedAttributes ?? [], names: [name] },
    ...firstAvailable.map((one, i) => ({
      path: `${path}.firstAvailable[${i}]`,
      attributes: one.derivedAttributes ?? [],
      names: [name, `${name}/${one.name ?? ''}`],
    })),
  ];
}

const concerns = ({ requests = [] }: DeviceConstraint, names: readonly string[]): boolean =>
  requests.length === 0 || requests.some((request) => names.includes(request));

/** Each attribute has one name, which some constraint on the devices of its request uses. */
function checkUses(
  { path, attributes, names }: Derived,
  constraints: readonly DeviceConstraint[],
): readonly FieldError[] {
  const used = new Set(
    constraints
      .filter((constraint) => concerns(constraint, names))
      .map(({ matchAttribute, distinctAttribute }) => matchAttribute ?? distinctAttribute),
  );
  const at = `${path}.derivedAttributes`;
  const why =
    'must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request';
  return [
    ...attributes.flatMap(({ name = '' }, i) =>
      name === '' || used.has(name) ? [] : [fieldError.invalid(`${at}[${i}].name`, name, why)],
    ),
    ...checkUnique(at, attributes, ({ name = '' }) => name),
  ];
}

const scalars: ReadonlySet<CelType['kind']> = new Set(['bool', 'int', 'string', 'dyn']);
const isScalar = (type: CelType): boolean => scalars.has(type.kind) || SEMVER.test(types.typeName(type));

const valueRule =
  (allowsLists: boolean) =>
  (type: CelType): string | undefined => {
    if (isScalar(type) || (allowsLists && type.kind === 'list' && isScalar(type.element))) return undefined;
    const lists = allowsLists ? ' or a list of these scalars' : '';
    return `must evaluate to a primitive scalar (string, integer, boolean, semver)${lists}, not ${types.formatType(type)}`;
  };

/** Compiles the expressions of a claim, which have a common limit of their costs. */
function* expressionProblems(
  path: string,
  all: readonly Derived[],
  rule: (type: CelType) => string | undefined,
): Work<readonly FieldError[]> {
  const problems: FieldError[] = [];
  let total = 0;
  for (const { path: parent, attributes } of all)
    for (const [i, { expression = '' }] of attributes.entries()) {
      if (expression === '') continue;
      const at = `${parent}.derivedAttributes[${i}].expression`;
      const checked = yield* checkedExpression(at, expression, rule);
      problems.push(...checked.problems);
      total += checked.cost;
    }
  if (total <= MAX_COST) return problems;
  const why = 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit';
  return [...problems, fieldError.forbidden(path, why)];
}

/** Checks the computed attributes of all requests of a claim, which cannot change. */
export function checkDerivedAttributes(
  { requests, constraints = [] }: DeviceClaim,
  context: CheckContext<DeviceClaim>,
): readonly FieldError[] {
  const { path, old, since } = context;
  if (old !== undefined) return [];
  const all = (requests ?? [])
    .flatMap((request, i) => derivedOf(request, `${path}.requests[${i}]`))
    .filter(({ attributes }) => attributes.length > 0);
  if (all.length === 0) return [];
  const rule = valueRule(since('never', 'DRAListTypeAttributes'));
  return [
    ...all.flatMap((derived) => checkUses(derived, constraints)),
    ...doOrPostpone(expressionProblems(path, all, rule), context),
  ];
}
