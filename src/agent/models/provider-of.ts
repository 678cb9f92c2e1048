// The provider in a model's id, as far as waits and messages are concerned: its limits apply to all its models.

export function providerOf(model: string): string {
  return model.split("/", 1)[0] ?? model
}
