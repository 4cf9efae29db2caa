import Link from 'next/link';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { Thumbnail } from '@/app/_ui/thumbnail';
import type { Tone } from '@/app/_ui/tone';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { Finding, FindingKind } from '@/lib/core/statistics';
import type { VersionPicture } from '@/lib/services/datasets/versions/version-pictures';

interface Props {
  findings: readonly Finding[];
  pictures: readonly VersionPicture[];
  slug: string;
  path: string;
}

const tones: Record<FindingKind, Tone> = { missing: 'neutral', contradictory: 'bad', 'near-empty': 'warn' };

/** Pictures of a finding that are shown; all of the first hundred are in the file. */
const SHOWN = 12;

/** Labels that are missing, contradict each other or are hardly there, with the images they are in. */
export function FindingPanel({ findings, pictures, slug, path }: Props) {
  const byName = new Map(pictures.map((picture) => [picture.name, picture]));
  return (
    <section id="findings">
      <Panel
        title="Missing and contradictory labels"
        description="Each kind opens with its images. Mend them in the project and freeze again."
        flush
      >
        {findings.length === 0 ? (
          <EmptyState title="Nothing is missing and nothing contradicts">
            Every class has its parts asked, every form its answer, and no label speaks against another.
          </EmptyState>
        ) : (
          findings.map((finding) => (
            <details key={finding.id} className="border-b border-line last:border-b-0">
              <summary className="flex min-h-10 flex-wrap items-center gap-x-4 px-4 py-1.5 hover:bg-hover">
                <State state={finding.kind} tone={tones[finding.kind]} className="w-28 text-xs" />
                <span className="w-56 font-medium">{finding.title}</span>
                <span className="w-40 text-ink-2 tabular-nums">
                  {formatNumber(finding.count)} in {formatCount(finding.images, 'image')}
                </span>
                <span className="min-w-0 flex-1 basis-72 text-xs text-ink-3">{finding.says}</span>
              </summary>
              <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-3 px-4 pb-4">
                {finding.examples.slice(0, SHOWN).map(({ image, cases }) => (
                  <li key={image}>
                    <Example image={image} cases={cases} picture={byName.get(image)} slug={slug} />
                  </li>
                ))}
              </ul>
              {finding.images > SHOWN && (
                <p className="px-4 pb-4 text-xs text-ink-3">
                  {formatNumber(finding.images - SHOWN)} more;{' '}
                  <a href={`${path}/statistics/file?of=findings`} download className="underline">
                    the first hundred of each kind as CSV
                  </a>
                  .
                </p>
              )}
            </details>
          ))
        )}
      </Panel>
    </section>
  );
}

interface ExampleProps {
  image: string;
  cases: string[];
  picture: VersionPicture | undefined;
  slug: string;
}

function Example({ image, cases, picture, slug }: ExampleProps) {
  const href = picture
    ? `/projects/${slug}/images/${picture.id}`
    : `/projects/${slug}/images?text=${encodeURIComponent(image)}`;
  return (
    <Link href={href} className="flex flex-col gap-1">
      <Thumbnail src={picture?.thumbnail} alt={image} width={128} height={128} />
      <span className="line-clamp-2 text-xs">{cases.join(', ')}</span>
      <span className="truncate text-xs text-ink-3">{image}</span>
    </Link>
  );
}
