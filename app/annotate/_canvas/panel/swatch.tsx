import type { LabelStyle, Pattern } from '../paint/label-style';

/** Colour and pattern of a label, as they are on the image. */
export function Swatch({ style }: { style: LabelStyle }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 shrink-0 rounded-sm">
      <rect width="16" height="16" fill={style.colour} />
      <path d={marks[style.pattern]} stroke="rgb(0 0 0 / 45%)" strokeWidth="1.5" />
    </svg>
  );
}

const marks: Readonly<Record<Pattern, string>> = {
  plain: '',
  rising: 'M-2 10 10 -2M-2 18 18 -2M6 18 18 6',
  falling: 'M6 -2 18 10M-2 -2 18 18M-2 6 10 18',
  dots: 'M4 3v2M12 3v2M4 11v2M12 11v2',
  level: 'M0 4h16M0 12h16',
  upright: 'M4 0v16M12 0v16',
};
