import { Panel } from '@/app/_ui/panel';

interface Props {
  /** Where pictures of this image come from. */
  api: string;
  name: string;
  predicted: string;
}

/** The picture as the model sees it: alone, with the object that people drew, and with where the model looks. */
export const SeenPictures = ({ api, name, predicted }: Props) => (
  <Panel title="What the model sees">
    <div className="flex flex-wrap gap-4">
      <Seen api={api} alt={`${name} at the size of the model`} says="As the model is given it" />
      <Seen
        api={api}
        over="object"
        alt={`${name} with the outline of the object`}
        says="The object that people drew"
      />
      <Seen
        api={api}
        over="saliency"
        alt={`${name} with where the model looks`}
        says={`Where the model looks for ${predicted}: from nothing over yellow to red`}
      />
    </div>
  </Panel>
);

interface SeenProps {
  api: string;
  over?: 'object' | 'saliency';
  alt: string;
  says: string;
}

/** Made on demand: a picture that cannot be made leaves its ground empty and its words readable. */
const Seen = ({ api, over, alt, says }: SeenProps) => (
  <figure className="w-64">
    <div className="relative aspect-square overflow-hidden rounded-md bg-stage">
      {/* biome-ignore lint/performance/noImgElement: a small picture of our own, made for this page. */}
      <img src={api} alt={over ? '' : alt} className="size-full object-contain" />
      {over && (
        // biome-ignore lint/performance/noImgElement: see above.
        <img src={`${api}?kind=${over}`} alt={alt} className="absolute inset-0 size-full object-contain" />
      )}
    </div>
    <figcaption className="mt-1 text-xs text-ink-3">{says}</figcaption>
  </figure>
);
