/** A rule for a string: returns the violated requirement, or undefined when the value is valid. Runs in linear time. */
export type TextFormat = (value: string) => string | undefined;

export const tooLong = (max: number): string => `must be no more than ${max} characters`;
const empty = 'must not be empty';

/** The message of a regular-expression format: description, an example, the expression. */
function pattern(what: string, re: RegExp, ...examples: string[]): TextFormat {
  const displayed = examples.map((e) => `'${e}'`).join(', or ');
  const source = re.source.replace(/^\^\(\?:(.*)\)\$$/s, '$1').replaceAll('(?:', '(');
  const message = `${what} (e.g. ${displayed}, regex used for validation is '${source}')`;
  return (value) => (re.test(value) ? undefined : message);
}

function bounded(max: number, format: TextFormat): TextFormat {
  // The length is checked first, so that no expression is applied to a long malicious value.
  return (value) => (value.length > max ? tooLong(max) : format(value));
}

// Each expression has one way to match any text: a separator always starts a new group, so that backtracking is
// bounded.
const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;

/** At most 63 characters of `[-a-z0-9]`, alphanumeric at both ends. */
export const dns1123label: TextFormat = bounded(
  63,
  pattern(
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    new RegExp(`^(?:${label})$`),
    'my-name',
    '123-abc',
  ),
);

/** Labels joined by dots, at most 253 characters. */
export const dns1123subdomain: TextFormat = bounded(
  253,
  pattern(
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    new RegExp(`^(?:${subdomain})$`),
    'example.com',
  ),
);

/** As dns1123label, but starting with a letter. */
export const dns1035label: TextFormat = bounded(
  63,
  pattern(
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    /^(?:[a-z]([-a-z0-9]*[a-z0-9])?)$/,
    'my-name',
    'abc-123',
  ),
);

export const wildcardSubdomain: TextFormat = bounded(
  253,
  pattern(
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    new RegExp(`^(?:\\*\\.${subdomain})$`),
    '*.example.com',
  ),
);

const namePart = pattern(
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  /^(?:([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
  'MyName',
  'my.name',
  '123-abc',
);

/** `name` or `prefix/name`: keys of labels and annotations. */
export const qualifiedName: TextFormat = (value) => {
  const slash = value.indexOf('/');
  const name = value.slice(slash + 1);
  if (slash >= 0) {
    if (slash === 0) return `prefix part ${empty}`;
    if (name.includes('/')) {
      return "a qualified name must consist of alphanumeric characters, '-', '_' or '.', with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    }
    const wrong = dns1123subdomain(value.slice(0, slash));
    if (wrong !== undefined) return `prefix part ${wrong}`;
  }
  if (name === '') return `name part ${empty}`;
  if (name.length > 63) return `name part ${tooLong(63)}`;
  return namePart(name);
};

export const labelValue: TextFormat = bounded(
  63,
  pattern(
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    /^(?:(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?)$/,
    'MyValue',
    'my_value',
    '12345',
  ),
);

/** A segment of a URL path. */
export const pathSegment: TextFormat = (value) => {
  if (value === '.' || value === '..') return `may not be '${value}'`;
  if (value.includes('/')) return "may not contain '/'";
  if (value.includes('%')) return "may not contain '%'";
  return undefined;
};

/** Name of a port, as in IANA service names: letters, digits and single inner hyphens, at most 15 characters. */
export const portName: TextFormat = (value) => {
  if (value.length > 15) return tooLong(15);
  if (!/^[-a-z0-9]+$/.test(value)) {
    return 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
  }
  if (!/[a-z]/.test(value)) return 'must contain at least one letter (a-z)';
  if (value.includes('--')) return 'must not contain consecutive hyphens';
  if (value.startsWith('-') || value.endsWith('-')) return 'must not begin or end with a hyphen';
  return undefined;
};

export const percent: TextFormat = pattern(
  'a valid percent string must be a numeric string followed by an ending %',
  /^(?:[0-9]+%)$/,
  '1%',
  '93%',
);

const dotted = (value: string): string | undefined => {
  if (value === '.') return "must not be '.'";
  if (value === '..') return "must not be '..'";
  return value.startsWith('..') ? "must not start with '..'" : undefined;
};

const envVarPattern = pattern(
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  /^(?:[-._a-zA-Z][-._a-zA-Z0-9]*)$/,
  'my.env-name',
  'MY_ENV.NAME',
  'MyEnvName1',
);
export const envVarName: TextFormat = (value) => envVarPattern(value) ?? dotted(value);

/** The rule of later releases for names of environment variables. */
export const printableVarName: TextFormat = (value) =>
  /^[ -<>-~]+$/.test(value)
    ? undefined
    : "a valid environment variable name must consist of printable ASCII characters other than '='";

const configMapKeyPattern = pattern(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  /^(?:[-._a-zA-Z0-9]+)$/,
  'key.name',
  'KEY_NAME',
  'key-name',
);
/** Keys of ConfigMaps and Secrets: they become file names. */
export const configMapKey: TextFormat = bounded(253, (value) => configMapKeyPattern(value) ?? dotted(value));

export const httpHeaderName: TextFormat = pattern(
  "a valid HTTP header must consist of alphanumeric characters or '-'",
  /^(?:[-A-Za-z0-9]+)$/,
  'X-Header-Name',
);

export const cIdentifier: TextFormat = pattern(
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  /^(?:[A-Za-z_][A-Za-z0-9_]*)$/,
  'my_name',
  'MY_NAME',
  'MyName',
);

const sysctlPart = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
export const sysctl: TextFormat = bounded(
  253,
  pattern(
    "a sysctl name must consist of lower case alphanumeric characters, '-' or '_', in parts joined by '.'",
    new RegExp(`^(?:(${sysctlPart}\\.)*${sysctlPart})$`),
    'net.core.somaxconn',
  ),
);

export const conditionReason: TextFormat = bounded(
  1024,
  pattern(
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'",
    /^(?:[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?)$/,
    'my_name',
    'MyName',
    'ReasonA,ReasonB',
  ),
);

export const csiDriverName: TextFormat = bounded(63, dns1123subdomain);

/** A subdomain of at least `segments` labels. */
export const fullyQualified =
  (segments: number): TextFormat =>
  (value) => {
    if (value === '') return empty;
    const wrong = dns1123subdomain(value);
    if (wrong !== undefined) return wrong;
    return value.split('.').length < segments
      ? `should be a domain with at least ${['zero', 'one', 'two', 'three'][segments] ?? segments} segments separated by dots`
      : undefined;
  };
