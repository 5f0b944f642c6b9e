/** The number of users at present. */
let users = 0;

/**
 * While it is in use, elements that a library creates have styles that the policy of the page permits: texts of `style` elements become style
 * sheets of the document, and `style` attributes become properties. The policy refuses both as they are.
 */
export function permittedStyles(root: Document): Disposable {
  if (users++ === 0) {
    const create = root.createElement.bind(root);
    root.createElement = (tag: string): HTMLElement =>
      tag === 'style' ? sheetElement(root, create('span')) : withStyleProperties(create(tag));
  }
  return {
    [Symbol.dispose]() {
      // The function of the prototype is there again.
      if (--users === 0) Reflect.deleteProperty(root, 'createElement');
    },
  };
}

/** Makes the text of an element a style sheet, which is removed with it. */
function sheetElement(root: Document, element: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  root.adoptedStyleSheets.push(sheet);
  const remove = element.remove.bind(element);
  element.hidden = true;
  return Object.defineProperties(element, {
    textContent: { set: (text: string) => sheet.replaceSync(text) },
    remove: {
      value: () => {
        root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
        remove();
      },
    },
  });
}

function withStyleProperties(element: HTMLElement): HTMLElement {
  const set = element.setAttribute.bind(element);
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value;
    else set(name, value);
  };
  return element;
}

const adopted = new Set<string>();

/** Adds a style sheet to the document, once. */
export function adopt(root: Document, text: string): void {
  if (adopted.has(text)) return;
  adopted.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  root.adoptedStyleSheets.push(sheet);
}
