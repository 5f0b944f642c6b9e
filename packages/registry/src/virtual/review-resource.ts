import { type ApiObject, errors } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import type { VirtualResource } from '../context/virtual-resource.ts';
import { encodeObject } from '../encode/encodings.ts';
import { readPost, resourceKind } from '../request/read-write-request.ts';
import { bytesReply } from '../request/reply.ts';
import { kindSubjectOf } from '../resource/served-resource.ts';
import { admitPosted } from '../write/admit-posted.ts';
import { checkNamespace } from '../write/rules/object-meta.ts';
import { strategyContextOf } from '../write/rules/validate-object.ts';

/** Completes a posted review. The review and the result are in the hub version; the review is valid and may be changed. */
export type ReviewHandler = (posted: ApiObject, call: ResourceContext) => ApiObject | Promise<ApiObject>;

/** A resource of reviews: a create returns the object with its status filled in, and nothing is stored. */
export const reviewResource =
  (complete: ReviewHandler): VirtualResource =>
  async (path, resource, call): Promise<Reply> => {
    const { info, user } = call;
    const { type, converter } = resource;
    const kind = { ...resourceKind(resource), shape: 'plain' } as const;
    const { object, format, options } = await readPost(path, call, kind);
    checkNamespace(object, resource, info.namespace);
    const posted = converter.toHub(object);
    const { strategy } = type;
    if (type.namespaced) posted.metadata.namespace = info.namespace;
    if (strategy.resetStatus) delete posted['status'];
    const strategyContext = strategyContextOf(path, resource, user);
    strategy.prepareForCreate?.(posted, strategyContext);
    const problems = [
      ...resource.codec.validate(converter.fromHub(posted)),
      ...(strategy.validate?.(posted, undefined, strategyContext) ?? []),
    ];
    if (problems.length > 0)
      throw errors.invalid(kindSubjectOf(resource, posted.metadata.name ?? ''), problems);
    const { name = '' } = posted.metadata;
    await admitPosted(path, resource, { call, object: posted, name, dryRun: options.dryRun });
    // The codec orders the fields and adds those that are always written.
    const completed = resource.codec.decode(converter.fromHub(await complete(posted, call))).value;
    return bytesReply(201, format, encodeObject(completed, resource.protobuf.codec, format));
  };
