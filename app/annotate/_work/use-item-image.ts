import { useEffect, useState } from 'react';
import type { ImagePyramid } from '../_canvas/paint/image-pyramid';
import type { WorkItem } from './api';
import { type ImageCache, UndecodableImage } from './image-cache';

export type ItemImage =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly image: ImagePyramid }
  /** `isBroken`: trying again will not help. */
  | { readonly kind: 'failed'; readonly isBroken: boolean };

export function useItemImage(images: ImageCache, { leaseId, image }: WorkItem): ItemImage {
  const [state, setState] = useState<ItemImage>(() => {
    const image = images.ready(leaseId);
    return image ? { kind: 'ready', image } : { kind: 'loading' };
  });
  const { url } = image.working;
  useEffect(() => {
    let isGone = false;
    images.load(leaseId, url).then(
      (loaded) =>
        !isGone &&
        setState((now) =>
          now.kind === 'ready' && now.image === loaded ? now : { kind: 'ready', image: loaded },
        ),
      (error) => !isGone && setState({ kind: 'failed', isBroken: error instanceof UndecodableImage }),
    );
    return () => {
      isGone = true;
    };
  }, [images, leaseId, url]);
  return state;
}
