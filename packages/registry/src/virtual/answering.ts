import { type ApiObject, errors } from '@orch/machinery';
import type { Reply, ResourceContext } from '@orch/request';
import { encodeObject } from '../encode/encodings.ts';
import { readObject } from '../request/decode-object.ts';
import { bytesReply, formOf, queryOf } from '../request/reply.ts';
import { writeOptions } from '../request/write-options.ts';
import { kindSubjectOf } from '../resource/served-resource.ts';
import type { VirtualResource } from '../resource/virtual-resource.ts';
import { checkNamespace } from '../write/object-meta.ts';
import { strategyContext } from '../write/validate-object.ts';

/**
 * Answers an object that a client has posted: what is posted, and what is answered, is in the hub version, valid and the
 * answerer's to change.
 */
export type Answerer = (posted: ApiObject, call: ResourceContext) => ApiObject | Promise<ApiObject>;

/** A resource whose objects are questions: whoever creates one gets it back with the answer in it, and nothing is kept. */
export const answering =
  (answer: Answerer): VirtualResource =>
  async (context, resource, call): Promise<Reply> => {
    const { info, request, user } = call;
    const { type, form: version } = resource;
    const query = queryOf(request);
    const { fieldValidation } = writeOptions(query, 'CreateOptions', context);
    const form = formOf(request, query, context.negotiator, 'plain');
    const { object, warnings } = await readObject(
      request,
      resource.codecs,
      { kind: type.kind, apiVersion: resource.apiVersion },
      { limitBytes: context.limits.bodyBytes, protobuf: resource.protobuf, fieldValidation },
    );
    checkNamespace(object, resource, info.namespace);
    const posted = version.lift(object);
    const { strategy } = type;
    if (type.namespaced) posted.metadata.namespace = info.namespace;
    if (strategy.resetStatus) delete posted['status'];
    const strategist = strategyContext(context, resource, user);
    strategy.prepareForCreate?.(posted, strategist);
    const problems = [
      ...resource.codec.validate(version.lower(posted)),
      ...(strategy.validate?.(posted, undefined, strategist) ?? []),
    ];
    if (problems.length > 0)
      throw errors.invalid(kindSubjectOf(resource, posted.metadata.name ?? ''), problems);
    // The codec puts members in their order, and writes those that are always there.
    const answered = resource.codec.decode(version.lower(await answer(posted, call))).value;
    return bytesReply(201, form, encodeObject(answered, resource.protobuf.codec, form), warnings);
  };
