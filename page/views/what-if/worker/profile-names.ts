// The names of the profiles that come with Incipit, in a file of their own so that choosing one loads none.

export const PROFILE_NAMES = ["incipit", "coop", "moltis", "nova", "osa", "osa-before", "pi"] as const
export type ProfileName = (typeof PROFILE_NAMES)[number]
