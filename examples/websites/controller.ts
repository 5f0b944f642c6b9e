import {
  addFinalizer,
  builtinResources,
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isBeingDeleted,
  type NewCondition,
  objectKey,
  ownerReferenceTo,
  ownerSource,
  removeFinalizer,
  type Stored,
  splitKey,
  withCondition,
} from '@orch/client';
import { Catalogue } from './catalogue.ts';
import { type Website, websites } from './website.ts';

/** The outcome of a reconciliation, as users see it. */
type Outcome = Pick<NewCondition, 'status' | 'reason' | 'message'>;

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

  /** Reports whether a website exists that asks for the host. */
  const asks = (key: string, host: string): boolean => {
    const one = known.store.get(key);
    return one !== undefined && !isBeingDeleted(one) && one.spec.host === host;
  };

  async function publish(website: Stored<Website>, signal: AbortSignal): Promise<Outcome> {
    const { name, namespace = '' } = website.metadata;
    const key = objectKey(website);
    const { host } = website.spec;
    const holder = await catalogue.claim(host, key, (other) => asks(other, host), signal);
    if (holder !== key) return { status: 'False', reason: 'HostTaken', message: `${holder} has the host` };
    const page = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        labels: { [websites.group]: name },
        ownerReferences: [ownerReferenceTo(website)],
      },
      data: { title: website.spec.title ?? '', 'index.html': website.spec.page },
    };
    const options = { fieldManager: 'websites', force: true };
    await client.resource(configmaps, namespace).patch.apply(`${name}-page`, page, options, signal);
    return { status: 'True', reason: 'Published', message: '' };
  }

  async function report(website: Stored<Website>, outcome: Outcome, signal: AbortSignal): Promise<void> {
    const { name, namespace, generation = 0 } = website.metadata;
    const ready = { type: 'Ready', ...outcome, observedGeneration: generation };
    const conditions = withCondition(website.status?.conditions, ready, env.clock.now());
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
