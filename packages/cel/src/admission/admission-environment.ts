import { Environment } from '../check/environment.ts';
import { dynDecl, valueDecl } from '../decl/build.ts';
import type { DeclType } from '../decl/decl-type.ts';
import { authorizerLibrary, authorizerType, resourceCheckType } from '../library/authorizer.ts';
import { librariesOf } from '../library/releases.ts';
import type { CelType } from '../types/type.ts';
import { variablesType } from './lazy-variables.ts';
import { jsonPatchLibrary, mutationTypes } from './mutation-types.ts';
import { namespaceDecl, requestDecl } from './request-declaration.ts';

/**
 * Functions of expressions are those of the newest release, whichever one is emulated, as in rules of custom resources:
 * published policies use them.
 */
const EXPRESSIONS_RELEASE = '1.35';

/** Variables of an expression besides `object`, `oldObject` and `request`. */
export interface AdmissionVariables {
  /** Type of `object` and `oldObject`; any JSON unless it is given. */
  readonly object?: DeclType | undefined;
  /** Type of `params`; undefined without such a variable. */
  readonly params?: DeclType | undefined;
  readonly hasAuthorizer?: boolean;
  readonly hasNamespace?: boolean;
  /** Types of the fields of `variables`; undefined without such a variable. */
  readonly variables?: ReadonlyMap<string, CelType> | undefined;
}

/** Environments of the expressions of match conditions and policies. Build one and keep it: it has some thousand functions. */
export class AdmissionEnvironments {
  #conditions: Environment | undefined;
  #mutations: Environment | undefined;

  /** For conditions, validations and annotations. */
  ofConditions(variables: AdmissionVariables): Environment {
    this.#conditions ??= new Environment({
      libraries: [...librariesOf(EXPRESSIONS_RELEASE), authorizerLibrary],
      homogeneousLiterals: true,
    });
    return this.#conditions.extend(declarations(variables));
  }

  /** For mutations, which build apply configurations and JSON patches. */
  ofMutations(variables: AdmissionVariables): Environment {
    this.#mutations ??= new Environment({
      libraries: [...librariesOf(EXPRESSIONS_RELEASE), authorizerLibrary, jsonPatchLibrary],
      homogeneousLiterals: true,
      findType: mutationTypes,
      quotedFields: true,
    });
    return this.#mutations.extend(declarations(variables));
  }
}

function declarations(declared: AdmissionVariables): Record<string, DeclType> {
  const { object = dynDecl(), params, hasAuthorizer, hasNamespace, variables } = declared;
  return {
    object,
    oldObject: object,
    request: requestDecl,
    ...(params === undefined ? {} : { params }),
    ...(hasNamespace === true ? { namespaceObject: namespaceDecl } : {}),
    ...(hasAuthorizer === true
      ? {
          authorizer: valueDecl(authorizerType),
          'authorizer.requestResource': valueDecl(resourceCheckType),
        }
      : {}),
    ...(variables === undefined ? {} : { variables: valueDecl(variablesType(variables)) }),
  };
}
