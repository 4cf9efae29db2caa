/** Small SVG builders; every number is cut to two decimals so that the text is the same everywhere. */
export const num = (value: number): string => String(Math.round(value * 100) / 100);

export function pathData(points: readonly number[], closed: boolean): string {
  let data = '';
  for (let i = 0; i < points.length; i += 2) {
    data += `${i === 0 ? 'M' : 'L'}${num(points[i] ?? 0)} ${num(points[i + 1] ?? 0)}`;
  }
  return closed ? `${data}Z` : data;
}

export type Attributes = Record<string, string | number | undefined>;

export function element(name: string, attributes: Attributes, children = ''): string {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? num(value) : value}"`)
    .join('');
  return children ? `<${name}${text}>${children}</${name}>` : `<${name}${text}/>`;
}

export type Stop = readonly [offset: number, colour: string, opacity?: number];

const stops = (list: readonly Stop[]) =>
  list
    .map(([offset, colour, opacity]) =>
      element('stop', { offset, 'stop-color': colour, 'stop-opacity': opacity }),
    )
    .join('');

export function linearGradient(
  id: string,
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  list: readonly Stop[],
): string {
  return element('linearGradient', { id, gradientUnits: 'userSpaceOnUse', x1, y1, x2, y2 }, stops(list));
}

/** Fills the bounding box of whatever uses it. */
export function radialGradient(id: string, list: readonly Stop[]): string {
  return element('radialGradient', { id }, stops(list));
}

export function rect(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  opacity?: number,
): string {
  return element('rect', { x, y, width, height, fill, opacity });
}

export function ellipseElement(
  cx: number,
  cy: number,
  rx: number,
  ry: number,
  fill: string,
  opacity?: number,
): string {
  return element('ellipse', { cx, cy, rx, ry, fill, opacity });
}

export function path(d: string, fill: string, opacity?: number): string {
  return element('path', { d, fill, opacity });
}

export function line(d: string, stroke: string, width: number, opacity?: number): string {
  return element('path', {
    d,
    fill: 'none',
    stroke,
    'stroke-width': width,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    opacity,
  });
}
