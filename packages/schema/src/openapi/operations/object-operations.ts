import type { Content, Operation, OperationMaker } from './operation.ts';

/** The objects of an operation. */
export interface OperationTarget {
  /** As descriptions name them: `the scale of the Deployment`. */
  readonly what: string;
  /** Suffix of the operation id; empty for the resource itself. */
  readonly suffix: string;
  readonly content: Content;
}

/** POST to a collection or to a subresource. */
export function createOperation(make: OperationMaker, { what, suffix, content }: OperationTarget): Operation {
  const extra = { body: { content, required: true }, codes: [200, 201, 202] };
  return make.operation(['post', 'post', make.id('create', { suffix })], `Creates ${what}.`, content, extra);
}

/** GET, PUT and PATCH of an object or of one of its subresources. */
export function readAndWrite(
  make: OperationMaker,
  verbs: readonly string[],
  { what, suffix, content }: OperationTarget,
): Operation[] {
  const operations: Operation[] = [];
  const id = (verb: string): string => make.id(verb, { suffix });
  if (verbs.includes('get'))
    operations.push(make.operation(['get', 'get', id('read')], `Reads ${what}.`, content));
  if (verbs.includes('update')) {
    const extra = { body: { content, required: true }, codes: [200, 201] };
    operations.push(make.operation(['put', 'put', id('replace')], `Replaces ${what}.`, content, extra));
  }
  if (verbs.includes('patch')) {
    const body = { content: make.definition('meta.v1.Patch'), required: true };
    const codes = make.input.patchCreates ? [200, 201] : [200];
    const extra = { body, codes, consumes: make.mediaTypes.patchMediaTypes };
    operations.push(
      make.operation(['patch', 'patch', id('patch')], `Changes parts of ${what}.`, content, extra),
    );
  }
  return operations;
}
