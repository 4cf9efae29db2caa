import { ringsOf, type SceneSpec, type Subject } from '../scenes';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** The reference: one SVG element per shape, moved by the transform of their group, as many tools do it. */
export function svgSubject(root: HTMLElement, spec: SceneSpec, image: string): Subject {
  const svg = make('svg', { width: '1000', height: '800' });
  const group = make('g', {});
  group.append(make('image', { href: image, width: String(spec.width), height: String(spec.height) }));
  const rings = ringsOf(spec);
  const shapes = rings.map((ring) =>
    make('polygon', {
      points: ring.join(' '),
      fill: '#ffb000',
      'fill-opacity': '0.4',
      stroke: '#ffb000',
      'stroke-width': '1.5',
      'vector-effect': 'non-scaling-stroke',
    }),
  );
  const stroke = make('polyline', {
    fill: 'none',
    stroke: '#ffb000',
    'stroke-opacity': '0.4',
    'stroke-width': '20',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
  });
  group.append(...shapes, stroke);
  svg.append(group);
  root.append(svg);
  const fit = Math.min(1000 / spec.width, 800 / spec.height);
  const place = (x: number, y: number, zoom: number) =>
    group.setAttribute('transform', `translate(${x} ${y}) scale(${zoom})`);
  place(0, 0, fit);
  let painted = '';
  const paintTo = (x: number, y: number) => {
    painted += ` ${x / fit} ${y / fit}`;
    stroke.setAttribute('points', painted);
  };
  return {
    pan: (frame) => place(60 * Math.sin(frame / 9), 40 * Math.sin(frame / 7), fit),
    zoom: (frame) => {
      const factor = 1.6 + 0.6 * Math.sin(frame / 12);
      place(500 * (1 - factor), 400 * (1 - factor), fit * factor);
    },
    dragVertex: (frame) => {
      const ring = rings[0] as Float64Array;
      ring[0] = (ring[0] as number) + Math.sin(frame / 5);
      shapes[0]?.setAttribute('points', ring.join(' '));
    },
    paint: (frame) => paintTo(100 + 6 * frame, 400 + 80 * Math.sin(frame / 8)),
    rest: () => {
      painted = '';
      stroke.setAttribute('points', '');
    },
    listen: () =>
      root.addEventListener('pointermove', (event) => {
        if (event.buttons > 0) paintTo(event.clientX, event.clientY);
      }),
  };
}

function make(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
