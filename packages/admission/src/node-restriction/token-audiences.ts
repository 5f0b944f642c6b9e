import type { ObjectSource } from '@orch/auth';
import type { PersistentVolumeSpec, Pod, Volume } from '@orch/kinds/core';
import type { Refusal } from '../types.ts';
import { type NodeWrite, quoted } from './node-write.ts';

/** The verb on an audience that permits a node to request tokens for it. */
const VERB = 'request-serviceaccounts-token-audience';

/** The CSI drivers that serve the volumes of former volume plugins, by the field of the volume. */
const driversOfPlugins: Readonly<Record<string, string>> = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
};

/**
 * Audiences of the token of a pod: a node requests at most one, which a volume of the pod needs or a rule permits to the node.
 * A request without an audience is one for the empty audience.
 */
export async function refusedAudiences(
  { node, write, parts }: NodeWrite,
  pod: Pod,
  audiences: readonly string[],
): Promise<Refusal | undefined> {
  if (audiences.length > 1) return `node ${quoted(node)} can only request tokens for one audience`;
  const [audience = ''] = audiences;
  const need = volumesNeed(pod, audience, parts.source);
  if (need === true) return undefined;
  if (need !== false) return `node ${quoted(node)} requested the audience ${quoted(audience)}, and ${need}`;
  const { verdict } = await parts.authorizer.authorize(
    {
      ...{ user: write.user, isResource: true, verb: VERB, group: '', version: 'v1' },
      ...{ resource: audience, subresource: '', namespace: write.namespace, name: write.name },
    },
    { signal: write.signal },
  );
  return verdict === 'allow'
    ? undefined
    : `node ${quoted(node)} cannot request tokens for the audience ${quoted(audience)}, which no volume of the pod needs`;
}

/** Whether a volume of the pod needs tokens for the audience, or the object without which that is unknown. */
function volumesNeed(pod: Pod, audience: string, source: ObjectSource): boolean | string {
  let unknown: string | undefined;
  for (const volume of pod.spec?.volumes ?? []) {
    const isProjected = volume.projected?.sources?.some(
      ({ serviceAccountToken: token }) => token !== undefined && (token.audience ?? '') === audience,
    );
    if (isProjected) return true;
    const found = driverOf(volume, pod, source);
    if (found === undefined) continue;
    const driver = 'name' in found ? source.get('csidrivers.storage', '', found.name) : undefined;
    if (driver === undefined)
      unknown ??= `the ${'name' in found ? `CSI driver ${quoted(found.name)}` : found.missing} does not exist`;
    else if (driver.spec?.tokenRequests?.some((request) => (request.audience ?? '') === audience))
      return true;
  }
  return unknown ?? false;
}

/** The CSI driver of a volume, or the object that is missing to determine it; undefined for other volumes. */
type FoundDriver = { readonly name: string } | { readonly missing: string } | undefined;

function driverOf(volume: Volume, pod: Pod, source: ObjectSource): FoundDriver {
  const { namespace = '', name = '' } = pod.metadata;
  if (volume.ephemeral?.volumeClaimTemplate !== undefined)
    return driverOfClaim(source, namespace, `${name}-${volume.name}`);
  if (volume.persistentVolumeClaim !== undefined)
    return driverOfClaim(source, namespace, volume.persistentVolumeClaim.claimName ?? '');
  return driverOfSource(volume);
}

function driverOfClaim(source: ObjectSource, namespace: string, name: string): FoundDriver {
  const claim = source.get('persistentvolumeclaims', namespace, name);
  if (claim === undefined) return { missing: `claim ${quoted(name)}` };
  const { volumeName = '' } = claim.spec ?? {};
  const volume = source.get('persistentvolumes', '', volumeName);
  return volume === undefined
    ? { missing: `volume ${quoted(volumeName)} of the claim ${quoted(name)}` }
    : driverOfSource(volume.spec ?? {});
}

function driverOfSource(source: PersistentVolumeSpec | Volume): FoundDriver {
  if (source.csi !== undefined) return { name: source.csi.driver ?? '' };
  const plugin = Object.keys(driversOfPlugins).find((field) => Object.hasOwn(source, field));
  return plugin === undefined ? undefined : { name: driversOfPlugins[plugin] ?? '' };
}
