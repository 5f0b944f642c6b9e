import type { PodSpec, Volume } from '@orch/kinds/core';
import type { AllowedHostPathV1beta1 } from '@orch/kinds/policy';
import { type FieldError, fieldError } from '@orch/machinery';
import { containersWithPaths } from '../../shared/pods.ts';

type Access = 'none' | 'readOnly' | 'full';

/** The parts of the file system of nodes that pods may mount: all of it when a policy specifies none. */
export class HostPaths {
  readonly #allowed: readonly { readonly prefix: string; readonly access: Access }[];

  constructor(allowed: readonly AllowedHostPathV1beta1[]) {
    this.#allowed = allowed.map(({ pathPrefix = '', readOnly }) => ({
      prefix: withoutSlash(pathPrefix),
      access: readOnly === true ? 'readOnly' : 'full',
    }));
  }

  check({ hostPath }: Volume, at: string): readonly FieldError[] {
    const path = hostPath?.path ?? '';
    if (this.#accessTo(path) !== 'none') return [];
    return [fieldError.invalid(`${at}.hostPath.pathPrefix`, path, 'is not allowed to be used')];
  }

  /** Checks that volumes below read-only paths are mounted read-only in every container. */
  *checkMounts(spec: PodSpec): Iterable<FieldError> {
    const names = new Set(
      (spec.volumes ?? [])
        .filter(
          ({ hostPath }) => hostPath !== undefined && this.#accessTo(hostPath.path ?? '') === 'readOnly',
        )
        .map(({ name }) => name),
    );
    if (names.size === 0) return;
    for (const { container, path } of containersWithPaths(spec))
      for (const [i, mount] of (container.volumeMounts ?? []).entries())
        if (mount.readOnly !== true && names.has(mount.name))
          yield fieldError.invalid(`${path}.volumeMounts[${i}].readOnly`, false, 'must be read-only');
  }

  #accessTo(path: string): Access {
    if (this.#allowed.length === 0) return 'full';
    const access = this.#allowed
      .filter(({ prefix }) => `${withoutSlash(path)}/`.startsWith(`${prefix}/`))
      .map((allowed) => allowed.access);
    return access.includes('full') ? 'full' : (access[0] ?? 'none');
  }
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
