import type { ProjectedVolumeSource, Volume } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { RuleParts, Rules } from '../rule.ts';
import { HostPaths } from './host-paths.ts';

/** Kinds of volumes, with the drivers and paths that some of them may use. */
export function volumes({ spec, names }: RuleParts): Rules {
  const kinds = new Set(spec.volumes);
  const paths = new HostPaths(spec.allowedHostPaths ?? []);
  const rootCa = names.objects.rootCa;
  const isAllowed = (kind: string, { projected }: Volume): boolean =>
    kinds.has('*') ||
    kinds.has(kind) ||
    (kind === 'projected' && kinds.has('secret') && isTokenVolume(projected ?? {}, rootCa));
  const detailOf = driverRules(spec);
  const checkVolume = (volume: Volume, at: string): readonly FieldError[] => {
    const sources = kindsOf(volume);
    if (sources.length === 0) return [fieldError.invalid(at, '', 'unknown volume type')];
    return sources.flatMap((kind) => {
      if (!isAllowed(kind, volume))
        return [fieldError.invalid(at, kind, `${kind} volumes are not allowed to be used`)];
      return kind === 'hostPath' ? paths.check(volume, at) : detailOf(kind, volume, at);
    });
  };
  return {
    pod: {
      *check({ spec: pod }) {
        for (const [i, volume] of (pod.volumes ?? []).entries())
          yield* checkVolume(volume, `spec.volumes[${i}]`);
        yield* paths.checkMounts(pod);
      },
    },
  };
}

/** Sources of a volume, by the names that policies use. */
const kindsOf = ({ name: _name, ...sources }: Volume): readonly string[] =>
  Object.entries(sources).flatMap(([kind, source]) =>
    source === undefined ? [] : [kind === 'cephfs' ? 'cephFS' : kind],
  );

type DriverRule = (kind: string, volume: Volume, at: string) => readonly FieldError[];

/** Drivers of volumes: all when a policy names none. */
function driverRules({ allowedFlexVolumes = [], allowedCSIDrivers = [] }: RuleParts['spec']): DriverRule {
  const flex = new Set(allowedFlexVolumes.map(({ driver = '' }) => driver));
  const csi = new Set(allowedCSIDrivers.map(({ name = '' }) => name));
  const check = (allowed: ReadonlySet<string>, driver: string, at: string, what: string) =>
    allowed.size === 0 || allowed.has(driver)
      ? []
      : [fieldError.invalid(`${at}.driver`, driver, `${what} driver is not allowed to be used`)];
  return (kind, { flexVolume, csi: inline }, at) => {
    if (kind === 'flexVolume') return check(flex, flexVolume?.driver ?? '', at, 'Flexvolume');
    return kind === 'csi' ? check(csi, inline?.driver ?? '', at, 'Inline CSI') : [];
  };
}

/**
 * Reports whether a volume contains nothing but the parts of a token secret: a token for the API server, the CA
 * certificates of the API server and the namespace. Policies that allow secrets allow it.
 */
const isTokenVolume = ({ sources }: ProjectedVolumeSource, rootCa: string): boolean =>
  (sources ?? []).every(({ serviceAccountToken, configMap, downwardAPI, ...others }) => {
    if (Object.values(others).some((source) => source !== undefined)) return false;
    if (serviceAccountToken !== undefined) {
      const { path, audience = '' } = serviceAccountToken;
      if (path !== 'token' || audience !== '') return false;
    }
    if (configMap !== undefined && configMap.name !== rootCa) return false;
    return (downwardAPI?.items ?? []).every(
      ({ path, fieldRef }) => path === 'namespace' && fieldRef?.fieldPath === 'metadata.namespace',
    );
  });
