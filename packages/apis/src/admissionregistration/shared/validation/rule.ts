import type { RuleWithOperations } from '@orch/kinds/admissionregistration';
import { type FieldError, fieldError } from '@orch/machinery';

/** Checks a list that must not be empty and in which a wildcard stands alone. */
function checkWildcards(path: string, values: readonly string[], what: string): readonly FieldError[] {
  if (values.length === 0) return [fieldError.required(path)];
  return values.length > 1 && values.includes('*')
    ? [fieldError.invalid(path, values, `if '*' is present, must not specify other ${what}`)]
    : [];
}

/** Checks for entries that an earlier `resource/*` or `*` + `/subresource` includes already. */
function checkCovered(path: string, resources: readonly string[]): readonly FieldError[] {
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  return resources.flatMap((entry, i) => {
    const at = `${path}[${i}]`;
    if (entry === '') return [fieldError.required(at)];
    const slash = entry.indexOf('/');
    if (slash < 0) return [];
    const resource = entry.slice(0, slash);
    const subresource = entry.slice(slash + 1);
    const covering = [
      ...(wholeResources.has(resource) ? [`${resource}/*`] : []),
      ...(wholeSubresources.has(subresource) ? [`*/${subresource}`] : []),
    ];
    if (subresource === '*') wholeResources.add(resource);
    if (resource === '*') wholeSubresources.add(subresource);
    return covering.map((cover) =>
      fieldError.invalid(at, entry, `if '${cover}' is present, must not specify ${entry}`),
    );
  });
}

function checkResources(path: string, resources: readonly string[]): readonly FieldError[] {
  if (resources.length === 0) return [fieldError.required(path)];
  const errors = [...checkCovered(path, resources)];
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(fieldError.invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && resources.some((one) => one !== '*' && one !== '' && !one.includes('/'))) {
    const why = "if '*' is present, must not specify other resources without subresources";
    errors.push(fieldError.invalid(path, resources, why));
  }
  return errors;
}

/** Checks the operations and resources of a rule, except enumerations, which the schema checks. */
export function checkRule(path: string, rule: RuleWithOperations): readonly FieldError[] {
  const versions = rule.apiVersions ?? [];
  return [
    ...checkWildcards(`${path}.operations`, rule.operations ?? [], 'operations'),
    ...checkWildcards(`${path}.apiGroups`, rule.apiGroups ?? [], 'API groups'),
    ...checkWildcards(`${path}.apiVersions`, versions, 'API versions'),
    ...versions.flatMap((version, i) =>
      version === '' ? [fieldError.required(`${path}.apiVersions[${i}]`)] : [],
    ),
    ...checkResources(`${path}.resources`, rule.resources ?? []),
  ];
}
