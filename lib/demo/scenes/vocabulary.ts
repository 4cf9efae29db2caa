import type { SchemaPart } from '@/lib/core/schema';

/** Tags of the figures by the part names of Part-ImageNet and Cityscapes; PASCAL-Part names are the tags themselves. */
const TAGS: Readonly<Record<string, readonly string[]>> = {
  'Quadruped Head': ['head'],
  'Quadruped Body': ['torso', 'neck'],
  'Quadruped Foot': ['leg'],
  'Quadruped Tail': ['tail'],
  'Biped Head': ['head'],
  'Biped Body': ['torso'],
  'Biped Hand': ['arm'],
  'Biped Foot': ['leg'],
  'Biped Tail': ['tail'],
  'Fish Head': ['head'],
  'Fish Body': ['torso'],
  'Fish Fin': ['fin'],
  'Fish Tail': ['tail'],
  'Bird Head': ['head'],
  'Bird Body': ['torso', 'neck'],
  'Bird Wing': ['wing'],
  'Bird Foot': ['leg'],
  'Bird Tail': ['tail'],
  'Snake Head': ['head'],
  'Snake Body': ['torso'],
  'Reptile Head': ['head'],
  'Reptile Body': ['torso'],
  'Reptile Foot': ['leg'],
  'Reptile Tail': ['tail'],
  'Car Body': ['body'],
  'Car Tier': ['tier'],
  'Car Side Mirror': ['mirror'],
  'Bicycle Body': ['frame'],
  'Bicycle Head': ['steering'],
  'Bicycle Seat': ['seat'],
  'Bicycle Tier': ['tier'],
  'Boat Body': ['hull'],
  'Boat Sail': ['sail'],
  'Aeroplane Head': ['nose'],
  'Aeroplane Body': ['fuselage'],
  'Aeroplane Engine': ['engine'],
  'Aeroplane Wing': ['wing'],
  'Aeroplane Tail': ['tail'],
  'Bottle Mouth': ['mouth'],
  'Bottle Body': ['body'],
  'human-torso': ['torso'],
  'human-head': ['head'],
  'human-arms': ['arms'],
  'human-legs': ['legs'],
  'vehicle-windows': ['windows'],
  'vehicle-wheels': ['wheels'],
  'vehicle-lights': ['lights'],
  'vehicle-license-plate': ['plate'],
  'vehicle-chassis': ['chassis'],
};

const afterColon = (id: string) => id.slice(id.indexOf(':') + 1);

/** A layer belongs to a part when it carries one of these tags. */
export function tagsOfPart(part: SchemaPart): readonly string[] {
  return TAGS[part.id] ?? (part.merges ?? [part.id]).map(afterColon);
}
