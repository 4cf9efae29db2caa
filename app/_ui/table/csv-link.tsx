import { Download } from 'lucide-react';
import { type ButtonStyle, buttonStyle } from '../button';

type CsvLinkProps = { href: string } & ButtonStyle;

/** The rows beside it as a file. Not a page, so that the browser fetches it only when it is wanted. */
export const CsvLink = ({ href, variant = 'quiet', size }: CsvLinkProps) => (
  <a href={href} download className={buttonStyle({ variant, size })}>
    <Download aria-hidden />
    CSV
  </a>
);
