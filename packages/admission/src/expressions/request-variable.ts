import { namespaceOf } from '../shared/namespaces.ts';
import type { AdmissionAttributes } from '../types.ts';
import type { GroupVersionKind, GroupVersionResource, VersionedResource } from '../versioned-resource.ts';

/** The variable `request`, as JSON. Fields that are empty are absent, as in an AdmissionReview. */
export interface RequestVariable {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind: GroupVersionKind;
  readonly requestResource: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly userInfo: object;
  readonly dryRun: boolean;
  readonly options?: object;
}

/** The request of a write whose objects are given to expressions in one version. */
export function requestVariable(write: AdmissionAttributes, version: VersionedResource): RequestVariable {
  const { dryRun, name, operation, requested } = write;
  const options = write.options();
  return {
    kind: version.kind,
    resource: version.resource,
    ...text('subResource', version.subresource),
    requestKind: requested.kind,
    requestResource: requested.resource,
    ...text('requestSubResource', requested.subresource),
    ...text('name', name),
    ...text('namespace', namespaceOf(write)),
    operation,
    userInfo: userOf(write),
    dryRun,
    ...(options === undefined ? {} : { options }),
  };
}

function userOf({ user: { extra, groups, name, uid } }: AdmissionAttributes): object {
  return {
    ...text('username', name),
    ...text('uid', uid),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

const text = <K extends string>(field: K, value: string): { readonly [field in K]?: string } =>
  (value === '' ? {} : { [field]: value }) as { readonly [field in K]?: string };
