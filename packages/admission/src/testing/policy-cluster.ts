import type { Authorizer } from '@orch/auth';
import { MemoryObjectSource } from '@orch/auth/testing';
import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from '@orch/kinds/admissionregistration';
import { ApiError, type ApiObject, namesFor } from '@orch/machinery';
import { testEnv } from '@orch/machinery/testing';
import { validatingAdmissionPolicy } from '../policies/validating-admission-policy.ts';
import type { AdmissionAttributes } from '../types.ts';
import { objectsOfKinds } from './kind-objects.ts';
import { handlesWrite, testWrite } from './plugin-calls.ts';

const names = namesFor('orch');
export const alice = { name: 'alice', uid: '', groups: ['staff'], extra: {} };
export const pods = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const authorizer: Authorizer = {
  authorize: (attributes) => ({
    verdict: attributes.user.name === 'admin' || attributes.verb === 'audit' ? 'allow' : 'noOpinion',
    reason: '',
  }),
};

export const pod = (spec: Record<string, unknown> = { replicas: 3 }, labels = {}): ApiObject => ({
  metadata: { name: 'p', namespace: 'shop', labels },
  spec,
});

export type PolicySpec = Partial<ValidatingAdmissionPolicySpec>;
export type BindingSpec = Partial<ValidatingAdmissionPolicyBindingSpec>;

let generation = 0;

/** The plugin over a cluster with some policies and parameters. */
export class PolicyCluster {
  readonly source = new MemoryObjectSource();
  readonly env = testEnv();
  readonly plugin = validatingAdmissionPolicy({
    source: this.source,
    names,
    clock: this.env.clock,
    metrics: this.env.metrics,
    authorizer,
    resourcesOf: () => [{ group: '', version: 'v1', resource: 'configmaps', namespaced: true }],
    objectsOf: objectsOfKinds(this.source, {
      'v1 ConfigMap': { resource: 'configmaps', namespaced: true },
      'example.com/v1 Limit': { resource: 'limits.example.com', namespaced: false },
    }),
  });

  constructor() {
    this.source.put('namespaces', { metadata: { name: 'shop', labels: { env: 'prod' } } });
    const limit = (name: string, most: string, labels = {}): void =>
      this.source.put('configmaps', { metadata: { name, namespace: 'shop', labels }, data: { most } });
    limit('two', '2', { set: 'a' });
    limit('five', '5', { set: 'a' });
    this.source.put('limits.example.com', { metadata: { name: 'four' }, most: 4 });
  }

  policy(spec: PolicySpec, name = 'p'): this {
    this.source.put('validatingadmissionpolicies.admissionregistration', {
      metadata: { name, uid: name, generation: ++generation },
      spec: { matchConstraints: { resourceRules: [pods] }, failurePolicy: 'Fail', ...spec },
    });
    return this;
  }

  binding(spec: BindingSpec = {}, name = 'b'): this {
    this.source.put('validatingadmissionpolicybindings.admissionregistration', {
      metadata: { name, uid: name, generation: ++generation },
      spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
    });
    return this;
  }

  async write(change: Partial<AdmissionAttributes> = { object: pod() }): Promise<PolicyOutcome> {
    const warnings: string[] = [];
    const annotations: Record<string, string> = {};
    const report = {
      warn: (message: string) => void warnings.push(message),
      annotate: (key: string, value: string) => {
        annotations[key] = value;
      },
      exclude: () => {},
      step: () => {},
    };
    const write = testWrite({ user: alice, report, ...change });
    if (!handlesWrite(this.plugin, write)) return { refusal: 'not handled', warnings, annotations };
    try {
      const refusal = await this.plugin.validate?.(write);
      return { refusal: refusal ?? 'admitted', warnings, annotations };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, reason, message = '' } = error.status;
      const refusal = `${code} ${reason}: ${message.replace(/^.* denied request: /, '')}`;
      return { refusal, warnings, annotations };
    }
  }
}

export interface PolicyOutcome {
  readonly refusal: string;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** A policy with one validation. */
export const rule = (expression: string, rest = {}): PolicySpec => ({
  validations: [{ expression, ...rest }],
});
