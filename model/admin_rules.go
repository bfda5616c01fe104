package model

import (
	"net/mail"
	"strings"
)

// Types of administrators. An organization has at most one super administrator, who owns the account.
const (
	AdminSuper    = "super"
	AdminStandard = "standard"
)

// Check reports what is wrong with a new administrator.
func (in AdminInput) Check(ctx CheckContext) Problems {
	var ps Problems
	ps.checkRequired("name", in.Name.Value(), "The administrator's name")
	ps.checkRequired("email", in.Email.Value(), "The administrator's email address")
	ps.checkAdminMembers(in, ctx)
	return ps
}

// CheckUpdate reports what is wrong with a change of an administrator.
func (in AdminInput) CheckUpdate(ctx CheckContext) Problems {
	var ps Problems
	if in.Name.Present() {
		ps.checkRequired("name", in.Name.Value(), "The administrator's name")
	}
	if in.Email.Present() {
		ps.checkRequired("email", in.Email.Value(), "The administrator's email address")
	}
	ps.checkAdminMembers(in, ctx)
	return ps
}

func (ps *Problems) checkAdminMembers(in AdminInput, ctx CheckContext) {
	if email := strings.TrimSpace(in.Email.Value()); email != "" && !isEmail(email) {
		ps.add("email", ErrorInvalid, "Must be an email address such as ana@example.com.")
	}
	ps.checkOptionalPhone(in.Phone, ctx)
	if kind := in.Type.Or(AdminStandard); kind != AdminSuper && kind != AdminStandard {
		ps.add("type", ErrorInvalid, "Must be super or standard.")
	}
	ps.checkMetadata("metadata", in.Metadata.Value())
}

func isEmail(text string) bool {
	address, err := mail.ParseAddress(text)
	return err == nil && address.Address == text
}
