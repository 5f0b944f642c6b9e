/** What the page shows. It is in the address, so that a link leads to the same view. */
export interface View {
  /** `pods` or `deployments.apps`; empty for the start page. */
  readonly kind: string;
  /** All namespaces when empty. */
  readonly namespace: string;
  readonly labels: string;
  readonly fields: string;
  readonly search: string;
  /** The name of a column; by namespace and name when empty. */
  readonly sort: string;
  readonly isDescending: boolean;
  /** The object that is shown instead of the list. */
  readonly object?: ObjectName | undefined;
  /** Whether the object is shown as a form instead of YAML. */
  readonly isForm: boolean;
  /** The parts of the page of an object that are open. */
  readonly open: readonly ObjectPart[];
  /** The parameters of a page that is not a list. */
  readonly question?: Readonly<Record<string, string>> | undefined;
}

/** The first character of pages that show no kind: no resource begins with it. */
const PAGE_MARK = '~';

/** Parts of the page of an object that are shown when the user opens them. A command in a container is none: no link may run it. */
const objectParts = ['log', 'graph', 'why', 'compare'] as const;
export type ObjectPart = (typeof objectParts)[number];

export interface ObjectName {
  /** Empty for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
}

export const startView: View = {
  ...{ kind: '', namespace: '', labels: '', fields: '', search: '', sort: '' },
  ...{ isDescending: false, isForm: false, open: [] },
};

/** `#/pods?namespace=web`, `#/pods/web/one?open=log`, `#/nodes/a`, `#/~access?verb=get`. */
export function addressOf(view: View): string {
  const { object } = view;
  const names = object === undefined ? [] : [object.namespace, object.name].filter((part) => part !== '');
  const path = ['', view.kind, ...names].map(encodeURIComponent).join('/');
  const values = view.kind.startsWith(PAGE_MARK) ? (view.question ?? {}) : selectionOf(view);
  const pairs = Object.entries(values).filter(([, value]) => value !== '');
  return `#${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
}

const selectionOf = (view: View): Readonly<Record<string, string>> => ({
  ...{ namespace: view.namespace, labels: view.labels, fields: view.fields, search: view.search },
  ...{ sort: view.sort, order: view.isDescending ? 'descending' : '' },
  ...(view.object !== undefined && { as: view.isForm ? 'form' : '', open: view.open.join(' ') }),
});

/** The view of the fragment of an address. Parts that are not understood are ignored. */
export function viewAt(fragment: string): View {
  const [path = '', query = ''] = fragment.replace(/^#/, '').split(/\?(.*)/s, 2);
  const [, kind = '', ...names] = path.split('/').map(decoded);
  const values = new URLSearchParams(query);
  if (kind.startsWith(PAGE_MARK)) return { ...startView, kind, question: Object.fromEntries(values) };
  const value = (name: string): string => values.get(name) ?? '';
  const [first = '', second] = names;
  const object = second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
  return {
    kind,
    ...{ namespace: value('namespace'), labels: value('labels'), fields: value('fields') },
    ...{ search: value('search'), sort: value('sort'), isDescending: value('order') === 'descending' },
    ...(object.name === ''
      ? { isForm: false, open: [] }
      : { object, isForm: value('as') === 'form', open: openParts(value('open')) }),
  };
}

const openParts = (text: string): readonly ObjectPart[] => {
  const words = text.split(' ');
  return objectParts.filter((part) => words.includes(part));
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
