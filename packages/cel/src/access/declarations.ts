import { listDecl, mapDecl, objectDecl, type PropertyDecl, stringDecl } from '../decl/build.ts';
import type { DeclType, ObjectDecl } from '../decl/decl-type.ts';

export const text = stringDecl();
export const texts = listDecl(text);

/** An object of the API whose fields are all optional. */
export const declared = (name: string, fields: Readonly<Record<string, DeclType>>): ObjectDecl =>
  objectDecl(
    `kubernetes.${name}`,
    Object.fromEntries(
      Object.entries(fields).map(([field, type]): [string, PropertyDecl] => [field, { type }]),
    ),
  );

export const userDecl = declared('UserInfo', {
  username: text,
  uid: text,
  groups: texts,
  extra: mapDecl(texts),
});

/** The `spec` of a SubjectAccessReview in version v1. */
export const accessReviewDecl = declared('SubjectAccessReviewSpec', {
  resourceAttributes: declared('ResourceAttributes', {
    namespace: text,
    verb: text,
    group: text,
    version: text,
    resource: text,
    subresource: text,
    name: text,
  }),
  nonResourceAttributes: declared('NonResourceAttributes', { path: text, verb: text }),
  user: text,
  groups: texts,
  extra: mapDecl(texts),
  uid: text,
});
