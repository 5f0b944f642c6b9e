import { declared, text, texts, userDecl } from '../access/index.ts';
import { boolDecl, dynDecl, intDecl, listDecl, mapDecl, timestampDecl } from '../decl/build.ts';

const kind = declared('GroupVersionKind', { group: text, version: text, kind: text });
const resource = declared('GroupVersionResource', { group: text, version: text, resource: text });

/** The variable `request`: the request of an AdmissionReview without the objects. */
export const requestDecl = declared('AdmissionRequest', {
  kind,
  resource,
  subResource: text,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: text,
  name: text,
  namespace: text,
  operation: text,
  userInfo: userDecl,
  dryRun: boolDecl,
  options: dynDecl(),
});

const namespaceMetadata = declared('NamespaceMetadata', {
  name: text,
  generateName: text,
  namespace: text,
  labels: mapDecl(text),
  annotations: mapDecl(text),
  uid: text,
  creationTimestamp: timestampDecl,
  deletionGracePeriodSeconds: intDecl,
  deletionTimestamp: timestampDecl,
  generation: intDecl,
  resourceVersion: text,
  finalizers: texts,
});

const namespaceCondition = declared('NamespaceCondition', {
  status: text,
  type: text,
  lastTransitionTime: timestampDecl,
  message: text,
  reason: text,
});

/** The variable `namespaceObject`: the namespace of the object; null for objects of the cluster. */
export const namespaceDecl = declared('Namespace', {
  metadata: namespaceMetadata,
  spec: declared('NamespaceSpec', { finalizers: texts }),
  status: declared('NamespaceStatus', { conditions: listDecl(namespaceCondition), phase: text }),
});
