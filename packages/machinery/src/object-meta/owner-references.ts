import { type FieldError, fieldError } from '../field-error.ts';
import type { OwnerReference } from '../meta.ts';
import { child } from './field-path.ts';
import { problemsOf } from './problems.ts';

/** Kinds that may not own anything, as `apiVersion/kind`. */
const forbiddenOwners: readonly string[] = ['v1/Event'];

function validateOne(owner: OwnerReference, path: string): FieldError[] {
  const fields = [
    ['apiVersion', 'version must not be empty'],
    ['kind', 'must not be empty'],
    ['name', 'must not be empty'],
    ['uid', 'must not be empty'],
  ] as const;
  const errors = fields
    .filter(([field]) => (owner[field] ?? '') === '')
    .map(([field, expected]) => fieldError.invalid(child(path, field), owner[field] ?? '', expected));
  if (forbiddenOwners.includes(`${owner.apiVersion}/${owner.kind}`)) {
    errors.push(
      fieldError.invalid(
        path,
        owner,
        `${owner.apiVersion}, Kind=${owner.kind} is disallowed from being an owner`,
      ),
    );
  }
  return errors;
}

/** Owners are complete, of a kind that may own, and one of them at most is the controller. Errors name no position. */
export function validateOwnerReferences(
  owners: readonly OwnerReference[] | undefined,
  path: string,
): FieldError[] {
  if (owners === undefined) return [];
  const errors = problemsOf(owners, (owner) => validateOne(owner, path));
  const controllers = owners.filter((owner) => owner.controller === true);
  const rivals = problemsOf(controllers.slice(1), ({ name }) => {
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]?.name} and ${name}`;
    return [fieldError.invalid(path, owners, why)];
  });
  return [...errors, ...rivals];
}
