import {
  addFinalizer,
  builtinResources,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  objectKey,
  ownerReferenceTo,
  ownerSource,
  removeFinalizer,
  splitKey,
} from '@orch/client';
import { Catalogue } from './catalogue.ts';
import { conditionsWith, type Outcome } from './conditions.ts';
import { apiVersion, type Website, websites } from './website.ts';

export const FINALIZER = 'web.example.com/catalogue';
const BY_HOST = 'host';

/** Creates the pages of websites, keeps the catalogue of their hosts, and reports the result in the condition `Ready`. */
export function websiteController(context: ControllerContext, catalogueIn: string): Controller {
  const { client, informers, env } = context;
  const { configmaps } = builtinResources(client.names).core.v1;
  const known = informers.informer(websites);
  const pages = informers.informer(configmaps, { labelSelector: websites.group });
  const catalogue = new Catalogue(client, catalogueIn);
  known.addIndex(BY_HOST, ({ spec }) => [spec.host]);

  /** The oldest website of a host has it. */
  const holderOf = ({ spec }: Website): string | undefined =>
    [...known.store.byIndex(BY_HOST, spec.host)]
      .filter((one) => !isBeingDeleted(one))
      .sort((a, b) => (age(a) < age(b) ? -1 : 1))
      .map(objectKey)[0];

  async function publish(website: Website, signal: AbortSignal): Promise<Outcome> {
    const { name = '', namespace = '' } = website.metadata;
    const key = objectKey(website);
    const holder = holderOf(website);
    if (holder !== key) return { status: 'False', reason: 'HostTaken', message: `${holder} has the host` };
    await catalogue.add(website.spec.host, key, signal);
    const page = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        labels: { [websites.group]: name },
        ownerReferences: [ownerReferenceTo({ ...website, apiVersion, kind: websites.kind })],
      },
      data: { title: website.spec.title ?? '', 'index.html': website.spec.page },
    };
    const options = { fieldManager: 'websites', force: true };
    await client.resource(configmaps, namespace).patch.apply(`${name}-page`, page, options, signal);
    return { status: 'True', reason: 'Published', message: '' };
  }

  async function report(website: Website, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, generation = 0 } = website.metadata;
    const conditions = conditionsWith(website.status?.conditions ?? [], 'Ready', {
      ...{ outcome, generation },
      now: new Date(env.clock.now()).toISOString(),
    });
    if (conditions === undefined) return;
    const status = client.resource(websites, namespace).subresource('status');
    await status.patch.merge(name, { status: { conditions } }, {}, signal);
  }

  return controller({
    name: 'websites',
    sources: [
      // A deletion gives the host to another website.
      informerSource(known, {
        keys: ({ spec }) => known.store.byIndex(BY_HOST, spec.host).map(objectKey),
      }),
      informerSource(known),
      ownerSource(pages, { group: websites.group, kind: websites.kind, namespaced: true }),
    ],
    async reconcile(key, signal) {
      const cached = known.store.get(key);
      if (cached === undefined) return;
      const { namespace } = splitKey(key);
      const objects = client.resource(websites, namespace);
      if (isBeingDeleted(cached)) {
        await catalogue.remove(cached.spec.host, key, signal);
        await removeFinalizer(objects, cached, FINALIZER, signal);
        return;
      }
      const website = await addFinalizer(objects, cached, FINALIZER, signal);
      await report(website, await publish(website, signal), signal);
    },
  });
}

const age = ({ metadata }: Website): string => `${metadata.creationTimestamp} ${metadata.uid}`;
