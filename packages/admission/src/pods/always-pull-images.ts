import { containersOf, podOf, podSpecOf, replaceContainers } from '../shared/pods.ts';
import type { AdmissionPlugin, ResourceTarget } from '../types.ts';

const POLICY = 'Always';

/** Ephemeral containers are added through a subresource. */
const handles = ({ group, resource, subresource, operation }: ResourceTarget): boolean =>
  group === '' &&
  resource === 'pods' &&
  (subresource === '' || subresource === 'ephemeralcontainers') &&
  (operation === 'CREATE' || operation === 'UPDATE');

/**
 * `AlwaysPullImages`: sets the image pull policy of every container to `Always`, so that private images are used only
 * by pods that have the credentials to pull them. An update that does not change the image is not changed.
 */
export const alwaysPullImages = (): AdmissionPlugin => ({
  name: 'AlwaysPullImages',
  handles,
  mutate(write) {
    const spec = podSpecOf(write);
    if (spec === undefined) return undefined;
    const before = oldImages(podOf(write.oldObject)?.spec ?? {});
    replaceContainers(spec, (container) =>
      container.imagePullPolicy === POLICY || before.get(container.name) === container.image
        ? container
        : { ...container, imagePullPolicy: POLICY },
    );
    return undefined;
  },
  validate(write) {
    const spec = podSpecOf(write) ?? {};
    const before = oldImages(podOf(write.oldObject)?.spec ?? {});
    const wrong = containersOf(spec).find(
      ({ name, image, imagePullPolicy }) => imagePullPolicy !== POLICY && before.get(name) !== image,
    );
    return wrong === undefined
      ? undefined
      : `the image pull policy of container ${JSON.stringify(wrong.name)} must be ${POLICY}`;
  },
});

const oldImages = (
  spec: Parameters<typeof containersOf>[0],
): ReadonlyMap<string | undefined, string | undefined> =>
  new Map(containersOf(spec).map(({ name, image }) => [name, image]));
