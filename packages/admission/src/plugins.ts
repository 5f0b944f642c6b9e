import { certificateApproval } from './certificates/certificate-approval.ts';
import { certificateSigning } from './certificates/certificate-signing.ts';
import { certificateSubjectRestriction } from './certificates/certificate-subject-restriction.ts';
import type { SignerParts } from './certificates/signer-permission.ts';
import { nodeRestriction } from './node-restriction/node-restriction.ts';
import type { NodeRestrictionParts } from './node-restriction/node-write.ts';
import {
  type OwnerReferencesParts,
  ownerReferencesPermission,
} from './owner-references/owner-references-permission.ts';
import type { AdmissionPlugin } from './types.ts';

/** What plugins are made of. */
export type PluginParts = NodeRestrictionParts & OwnerReferencesParts & SignerParts;

/** All plugins, in the order in which they are asked (facts: server flags, admission order). */
const catalogue = {
  NodeRestriction: nodeRestriction,
  OwnerReferencesPermissionEnforcement: ownerReferencesPermission,
  CertificateApproval: certificateApproval,
  CertificateSigning: certificateSigning,
  CertificateSubjectRestriction: certificateSubjectRestriction,
} as const satisfies Readonly<Record<string, (parts: PluginParts) => AdmissionPlugin>>;

export type PluginName = keyof typeof catalogue;

export const pluginNames = Object.keys(catalogue) as readonly PluginName[];

/** Plugins that are on unless they are disabled (access-control document, 5.14). */
export const defaultPluginNames: readonly PluginName[] = [
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
];

/** The plugins of these names, in the order of the catalogue, whatever theirs is. */
export const pluginsOf = (wanted: ReadonlySet<PluginName>, parts: PluginParts): readonly AdmissionPlugin[] =>
  pluginNames.filter((name) => wanted.has(name)).map((name) => catalogue[name](parts));
