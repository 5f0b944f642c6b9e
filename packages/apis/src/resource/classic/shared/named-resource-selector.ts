import {
  boolDecl,
  CelSyntaxError,
  compileInPieces,
  type DeclType,
  type Environment,
  environmentOf,
  intDecl,
  listDecl,
  mapDecl,
  objectDecl,
  quantityType,
  semanticVersionType,
  stringDecl,
  valueDecl,
} from '@orch/cel';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Work } from '@orch/machinery/concurrency';
import { type Check, f, struct } from '@orch/schema';
import { NEWEST_RELEASE } from '../../../release.ts';
import { doOrPostpone } from '../../shared/device/selector.ts';

const MAX_EXPRESSION_BYTES = 10_240;

/** The attributes of an instance, by type and then by name. */
const valueTypes: Readonly<Record<string, DeclType>> = {
  quantity: valueDecl(quantityType),
  bool: boolDecl,
  int: intDecl,
  intslice: listDecl(intDecl),
  string: stringDecl(),
  stringslice: listDecl(stringDecl()),
  version: valueDecl(semanticVersionType),
};

let environment: Environment | undefined;

function environmentOfSelectors(): Environment {
  const fields = Object.entries(valueTypes).map(([name, type]) => [name, { type: mapDecl(type) }]);
  environment ??= environmentOf(NEWEST_RELEASE).extend({
    attributes: objectDecl('Attributes', Object.fromEntries(fields)),
  });
  return environment;
}

function* problemsOf(path: string, selector: string): Work<readonly FieldError[]> {
  if (Buffer.byteLength(selector) > MAX_EXPRESSION_BYTES)
    return [fieldError.tooLong(path, MAX_EXPRESSION_BYTES)];
  try {
    const program = yield* compileInPieces(selector, environmentOfSelectors());
    return program.resultType.kind === 'bool'
      ? []
      : [fieldError.invalid(path, selector, 'must evaluate to bool')];
  } catch (error) {
    if (!(error instanceof CelSyntaxError)) throw error;
    return [fieldError.invalid(path, selector, `compilation failed: ${error.message}`)];
  }
}

/** An empty expression is missing, which its field reports. */
const checkSelector: Check<{ readonly selector?: string }> = ({ selector = '' }, { path, ...context }) =>
  selector === '' ? [] : doOrPostpone(problemsOf(`${path}.selector`, selector), context);

/** The struct with the expression that selects instances, under its name. */
const selectorOf = (name: string, doc: string) =>
  struct(
    `resource.v1alpha2.${name}`,
    doc,
    {
      selector: f.string(1, {
        doc: 'Expression that is true for the selected instances. It has the maps of attributes by name: attributes.quantity, .bool, .int, .intslice, .string, .stringslice and .version.',
        presence: 'always',
        required: true,
      }),
    },
    { checks: [checkSelector] },
  );

export const NamedResourcesRequest = selectorOf(
  'NamedResourcesRequest',
  'Requests an instance of the named resources of a node.',
);

export const NamedResourcesFilter = selectorOf(
  'NamedResourcesFilter',
  'Limits the instances of the named resources that a class has.',
);
