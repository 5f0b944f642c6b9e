import type { Environment } from '../check/environment.ts';
import { dynDecl, mapDecl } from '../decl/build.ts';
import { environmentOf } from '../environment-of.ts';
import { accessReviewDecl, userDecl } from './declarations.ts';

/** Functions are those of the newest release, as in expressions of admission. */
const EXPRESSIONS_RELEASE = '1.35';

/** Environments of the expressions that authenticate and authorize. */
export interface AccessExpressions {
  /** With `claims`, the content of a token. */
  readonly claims: Environment;
  /** With `user`, who results from the claims. */
  readonly user: Environment;
  /** With `request`, the `spec` of a SubjectAccessReview. */
  readonly request: Environment;
}

/** Build them once for all expressions of a file: they have some thousand functions. */
export function accessExpressions(): AccessExpressions {
  const base = environmentOf(EXPRESSIONS_RELEASE);
  return {
    claims: base.extend({ claims: mapDecl(dynDecl()) }),
    user: base.extend({ user: userDecl }),
    request: base.extend({ request: accessReviewDecl }),
  };
}
