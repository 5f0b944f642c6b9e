import { atLeast, type ScaleMapping, type Subresource } from '@orch/apis';
import type { Scale } from '@orch/kinds/autoscaling';
import { type ApiObject, errors, type FieldError, fieldError, type Subject } from '@orch/machinery';
import { cloneJson, encodeJson, isJsonObject, isLarge, parseJson } from '@orch/machinery/json';
import { validateObjectMeta } from '@orch/machinery/object-meta';
import type { Reply, ResourceContext } from '@orch/request';
import type { RequestPath, WritePath } from '../context/paths.ts';
import { whenConverted, withConversions } from '../convert/conversion-needed.ts';
import type { Writer } from '../convert/ownership.ts';
import { readConfig, readLargeConfig } from '../request/applied-config.ts';
import { checkKind } from '../request/body.ts';
import { decodeObject, unreadable } from '../request/decode-object.ts';
import {
  type ApplyRequest,
  type AuxiliaryKind,
  auxiliaryKind,
  readApply,
  readPatchRequest,
  readUpdate,
} from '../request/read-write-request.ts';
import { addWarnings, bytesReply, queryOf, responseFormatOf } from '../request/reply.ts';
import { type WriteOptions, writeOptionsObject } from '../request/write-options.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';
import { readFreshObject } from '../verbs/get.ts';
import type { SubresourceView } from '../write/admission.ts';
import { type Applying, decideApply } from '../write/apply-config.ts';
import type { ChangeRequest, Current, Decision } from '../write/change.ts';
import { changeObject } from '../write/change-object.ts';
import { fieldWarnings, patchedObject } from '../write/patch-object.ts';
import { checkNamespace, requireName } from '../write/rules/object-meta.ts';
import { mainRules } from '../write/rules/update-rules.ts';
import { ownersBy, updatedTo } from '../write/update-object.ts';
import { scaleOf } from './scale-of.ts';
import { hubScale } from './scale-versions.ts';

/** `/scale`: the number of replicas of a kind, in a kind that is common to all of them. */
export function scale(
  path: RequestPath & WritePath,
  resource: StoredResource,
  { kind }: Subresource,
  call: ResourceContext,
): Promise<Reply> {
  const mapping = resource.type.scale;
  if (mapping === undefined) throw errors.resourceNotFound();
  return new ScaleRequest({ path, resource, mapping, kind, call }).serve();
}

interface ScaleRequestOptions {
  readonly path: RequestPath & WritePath;
  readonly resource: StoredResource;
  readonly mapping: ScaleMapping;
  readonly kind: Subresource['kind'];
  readonly call: ResourceContext;
}

/** The options and the field manager of a write. */
interface Writing {
  readonly options: WriteOptions;
  readonly writer: Writer;
}

/** One request for the Scale of an object. */
class ScaleRequest {
  readonly #path: RequestPath & WritePath;
  readonly #resource: StoredResource;
  readonly #mapping: ScaleMapping;
  readonly #call: ResourceContext;
  readonly #kind: Subresource['kind'];
  readonly #body: AuxiliaryKind;
  /** Subject of failures that are about the Scale. */
  readonly #subject: Subject;

  constructor({ path, resource, mapping, kind, call }: ScaleRequestOptions) {
    this.#path = path;
    this.#resource = resource;
    this.#mapping = mapping;
    this.#call = call;
    this.#kind = kind;
    this.#body = { ...auxiliaryKind(path, kind), shape: 'object' };
    this.#subject = { group: path.names.group(kind.group), kind: kind.kind, name: call.info.name };
  }

  async serve(): Promise<Reply> {
    const { info, request } = this.#call;
    const { group, version } = this.#kind;
    const format = responseFormatOf(request, queryOf(request), this.#path.negotiator, this.#body.shape);
    const object = parseJson(await this.#objectJson(info.verb)) as ApiObject;
    const json = encodeJson(this.#scaleOf(object));
    const { resourceVersion = '' } = object.metadata;
    return bytesReply(
      200,
      format,
      this.#path.scaleEncodings(group, version).object(json, resourceVersion, format),
    );
  }

  /** The JSON of the object, after the write that the verb requests; see `#mapped` for its version. */
  async #objectJson(verb: ResourceContext['info']['verb']): Promise<Buffer> {
    const { info, request } = this.#call;
    switch (verb) {
      case 'get':
        return (await readFreshObject(this.#resource, info, request)).json();
      case 'update':
        return this.#update();
      case 'apply':
        return this.#apply(await readApply(this.#path, this.#call, this.#resource, this.#body.shape));
      default:
        return this.#patch();
    }
  }

  async #update(): Promise<Buffer> {
    const { codecs, expected } = this.#body;
    const { body, ...writing } = await readUpdate(this.#path, this.#call, this.#body);
    const { fieldValidation } = writing.options;
    const { object, warnings } = decodeObject(body, codecs, expected, fieldValidation);
    addWarnings(this.#call.trace, warnings);
    return this.#change(writing.options, (current) => this.#rescaled(writing, object, current));
  }

  async #patch(): Promise<Buffer> {
    const { group, version, kind } = this.#kind;
    const { expected, shape } = this.#body;
    const schema = this.#path.auxiliarySchema(group, version, kind);
    const codec = this.#path.auxiliary(group, version, kind);
    const { type } = this.#resource;
    const target = { type, schema, strategic: this.#path.strategic, hasIntegers: true };
    const { patch, ...writing } = await readPatchRequest(this.#path, this.#call, target, shape);
    const { options } = writing;
    const warn = fieldWarnings(patch, options, this.#call.trace);
    const decoding = { codec, expected, ...(options.fieldValidation === 'Ignore' ? {} : { codecs: codec }) };
    return this.#change(options, (current) => {
      const document = this.#scaleOf(this.#mapped(current.object));
      const { object, unknown } = patchedObject(patch, document, decoding);
      warn(unknown);
      return this.#rescaled(writing, object, current);
    });
  }

  /** Applies a Scale as a configuration of the object with `spec.replicas` only, owned by a writer through `scale`. */
  async #apply({ bytes, options, writer }: ApplyRequest): Promise<Buffer> {
    const { name, namespace } = this.#call.info;
    const { expected } = this.#body;
    const { signal } = this.#call.request;
    const sent = isLarge(bytes.length)
      ? await readLargeConfig({ bytes, signal }, { ...options, expected }, this.#path)
      : readConfig(bytes, expected, options);
    const config = this.#configOf(sent.config);
    const applying: Applying = { sent: { ...sent, config }, writer, options, name, namespace };
    const { user, trace } = this.#call;
    const rules = mainRules(this.#resource);
    return this.#change(options, (current) =>
      decideApply(this.#path, this.#resource, current, { applying, user, rules, trace }),
    );
  }

  /** The configuration of the object that corresponds to a configuration of its Scale. */
  #configOf(config: Readonly<Record<string, unknown>>): ApiObject {
    const { expected } = this.#body;
    checkKind(config, expected);
    const { group, version, kind } = this.#kind;
    const { value, problems } = this.#path
      .auxiliary(group, version, kind)
      .decode(config, { typeMeta: expected, reportUnknown: true });
    const wrong = problems.find(({ kind }) => kind === 'type' || kind === 'unknown');
    if (wrong !== undefined)
      throw unreadable(`the applied configuration cannot be read as ${expected.kind}`, [wrong]);
    const object: ApiObject = {
      kind: this.#resource.type.kind,
      apiVersion: this.#resource.apiVersion,
      metadata: isJsonObject(config['metadata']) ? config['metadata'] : {},
    };
    const spec = config['spec'];
    if (isJsonObject(spec) && (spec['replicas'] ?? null) !== null)
      this.#mapping.setReplicas(Object.assign(object, { spec: {} }), replicasOf(value, this.#subject));
    return object;
  }

  async #change({ dryRun }: WriteOptions, decide: ChangeRequest['decide']): Promise<Buffer> {
    const { info, request, user } = this.#call;
    const { name, subresource } = info;
    const changed = await changeObject(this.#path, this.#resource, {
      key: keyOf(this.#resource, info),
      name,
      user,
      admittedAs: { operation: 'UPDATE', subresource, view: this.#view() },
      dryRun,
      signal: request.signal,
      trace: this.#call.trace,
      requestOptions: writeOptionsObject('UpdateOptions', request, this.#path.names),
      decide,
    });
    if (changed === undefined) throw errors.notFound(subjectOf(this.#resource, name));
    const { converter, type } = this.#resource;
    if (type.objectConverter === undefined) return changed.json;
    return withConversions(() => converter.convertJson(changed.json), request.signal);
  }

  /** Admission plugins receive the Scale in the hub version, regardless of its version. */
  #view(): SubresourceView {
    const resource = this.#resource;
    const { signal } = this.#call.request;
    const { group, version, kind } = hubScale;
    const apiVersion = this.#path.names.apiVersion(group, version);
    const schema = this.#path.auxiliarySchema(group, version, kind);
    return {
      of: (object) =>
        whenConverted(
          resource,
          () => scaleOf(this.#mapped(object), this.#mapping, apiVersion, schema),
          signal,
        ),
      write: (object, view) => whenConverted(resource, () => this.#withReplicas(object, view), signal),
    };
  }

  /** The object, in the hub version, with the replicas of a Scale. */
  #withReplicas(object: ApiObject, scale: ApiObject): ApiObject {
    const next = cloneJson(this.#mapped(object));
    this.#mapping.setReplicas(next, replicasOf(scale, this.#subject));
    const { converter, type } = this.#resource;
    return type.objectConverter === undefined ? next : converter.toHub(next);
  }

  #rescaled({ writer }: Writing, scale: ApiObject, current: Current): Decision {
    const { info, user } = this.#call;
    const resource = this.#resource;
    requireName(scale, info.name);
    checkNamespace(scale, resource, info.namespace);
    const problems = [...this.#metadataProblems(scale), ...replicasProblems(scale)];
    if (problems.length > 0) throw errors.invalid(this.#subject, problems);
    const next = cloneJson(this.#mapped(current.object));
    this.#mapping.setReplicas(next, replicasOf(scale, this.#subject));
    const { uid, resourceVersion } = scale.metadata;
    if (uid !== undefined && uid !== '') next.metadata.uid = uid;
    if (resourceVersion !== undefined && resourceVersion !== '')
      next.metadata.resourceVersion = resourceVersion;
    return updatedTo(this.#path, resource, current, {
      next: resource.type.objectConverter === undefined ? next : resource.converter.toHub(next),
      codec: resource.codec,
      user,
      rules: mainRules(resource),
      owners: ownersBy(this.#path, resource, writer),
      trace: this.#call.trace,
    });
  }

  /** Releases before 1.37 check the metadata of a Scale, although most of it has no effect. */
  #metadataProblems({ metadata }: ApiObject): readonly FieldError[] {
    const { names, release } = this.#path;
    if (atLeast(release, '1.37')) return [];
    const { type, codec } = this.#resource;
    const { namespace } = this.#call.info;
    const placed = { ...metadata, ...(namespace === '' ? {} : { namespace }) };
    return validateObjectMeta(placed, {
      namespaced: type.namespaced,
      nameFormat: 'dns1123subdomain',
      names,
      since: codec.since,
    });
  }

  /**
   * The object in the version to which the paths of the mapping refer: the hub, or the served version where a webhook
   * converts.
   */
  #mapped(hub: ApiObject): ApiObject {
    const { converter, type } = this.#resource;
    return type.objectConverter === undefined ? hub : converter.fromHub(hub);
  }

  #scaleOf(object: ApiObject): ApiObject {
    const { group, version, kind } = this.#kind;
    const schema = this.#path.auxiliarySchema(group, version, kind);
    return scaleOf(object, this.#mapping, this.#body.expected.apiVersion, schema);
  }
}

/** The number of replicas of a Scale (422 for a negative one). */
function replicasOf(scale: ApiObject, subject: Subject): number {
  const problems = replicasProblems(scale);
  if (problems.length > 0) throw errors.invalid(subject, problems);
  const { spec: { replicas = 0 } = {} }: Scale = scale;
  return replicas;
}

function replicasProblems(scale: ApiObject): readonly FieldError[] {
  const { spec: { replicas = 0 } = {} }: Scale = scale;
  return replicas >= 0
    ? []
    : [fieldError.invalid('spec.replicas', replicas, 'must be greater than or equal to 0')];
}
