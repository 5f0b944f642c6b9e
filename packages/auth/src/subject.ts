import type { X509Certificate } from 'node:crypto';

/** The names of a certificate's subject that authentication uses. `commonName` is empty when there is none, or several. */
export interface SubjectNames {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The values of the attribute for the uid of a user. */
  readonly uids: readonly string[];
}

/** The attribute of the subject for the uid of a user. */
const UID_ATTRIBUTE = '1.3.6.1.4.1.57683.2';

const valuesOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value;

/** Reads the decoded subject, not its printed form, in which a value could pretend to be another attribute. */
export function subjectNames(certificate: X509Certificate): SubjectNames {
  const subject: Readonly<Record<string, string | string[] | undefined>> = {
    ...certificate.toLegacyObject().subject,
  };
  const [commonName = '', ...more] = valuesOf(subject['CN']);
  return {
    commonName: more.length === 0 ? commonName : '',
    organizations: valuesOf(subject['O']).filter((name) => name !== ''),
    uids: valuesOf(subject[UID_ATTRIBUTE]),
  };
}
