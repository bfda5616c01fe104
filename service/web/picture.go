package web

import (
	"fmt"
	"math"
	"time"

	"waybill/model"
	"waybill/service/world"
)

// picture shows the driver and the destination to scale on an empty sheet. There is no map, so no map service is asked.
type picture struct {
	Width, Height             int
	DriverX, DriverY          float64
	PlaceX                    float64
	DriverLabelY, PlaceLabelY float64
	DriverAnchor, PlaceAnchor string
	PlaceName                 string
	Way, Pin, Scale           string
	ScaleX, ScaleY            float64
	ScaleText                 string
	Grid                      []string
	Caption                   string
}

const (
	sheetWidth, sheetHeight = 480, 260
	sheetMargin             = 48
	// staleAfter is the age from which the age of the driver's position is shown.
	staleAfter = 3 * time.Minute
)

// newPicture draws the picture. It returns nil if the driver's position is unknown or must not be shown.
func newPicture(t world.Tracking, l locale) *picture {
	if t.Driver == nil || !t.Driver.Location.Known {
		return nil
	}
	from, to := t.Driver.Location.Location, t.Destination.Location
	meters := from.MetersTo(to)
	east, north := offset(from, to)
	// Show at least 200 meters, so that a driver at the door does not jump around.
	span := max(200, math.Abs(east)*sheetHeight/sheetWidth, math.Abs(north))
	scale := (sheetHeight - 2*sheetMargin) / span
	if wide := (sheetWidth - 2*sheetMargin) / max(1, math.Abs(east)); wide < scale {
		scale = wide
	}
	p := &picture{Width: sheetWidth, Height: sheetHeight, PlaceName: "You"}
	p.DriverX = round(sheetWidth/2 - east*scale/2)
	p.DriverY = round(sheetHeight/2 + north*scale/2)
	p.PlaceX = round(sheetWidth/2 + east*scale/2)
	placeY := round(sheetHeight/2 - north*scale/2)
	p.Way = fmt.Sprintf("M%g %gL%g %g", p.DriverX, p.DriverY, p.PlaceX, placeY)
	p.Pin = fmt.Sprintf("M%g %gl-9 -16a10 10 0 1 1 18 0z", p.PlaceX, placeY)
	p.placeLabels(placeY)
	p.addScale(scale, l)
	for x := 40; x < sheetWidth; x += 40 {
		p.Grid = append(p.Grid, fmt.Sprintf("M%d 0V%d", x, sheetHeight))
	}
	for y := 20; y < sheetHeight; y += 40 {
		p.Grid = append(p.Grid, fmt.Sprintf("M0 %dH%d", y, sheetWidth))
	}
	p.Caption = "Your driver is about " + l.formatDistance(meters) + " away, in a straight line."
	if age := t.Now.Sub(t.Driver.Seen); age >= staleAfter {
		p.Caption = "Your driver was about " + l.formatDistance(meters) + " away, in a straight line, " + formatDuration(age) + " ago."
	}
	return p
}

// placeLabels puts the labels where they overlap neither the other mark nor the edge.
func (p *picture) placeLabels(placeY float64) {
	p.DriverAnchor, p.PlaceAnchor = textAnchor(p.DriverX), textAnchor(p.PlaceX)
	if p.DriverY >= placeY {
		p.DriverLabelY, p.PlaceLabelY = p.DriverY+30, placeY-34
	} else {
		p.DriverLabelY, p.PlaceLabelY = p.DriverY-20, placeY+18
	}
}

func textAnchor(x float64) string {
	switch {
	case x < sheetMargin*1.5:
		return "start"
	case x > sheetWidth-sheetMargin*1.5:
		return "end"
	}
	return "middle"
}

// addScale adds a scale bar of a round length.
func (p *picture) addScale(pixelsPerMeter float64, l locale) {
	unit, name := 1.0, "m"
	if l.miles {
		unit, name = 0.3048, "ft"
	}
	const longest = 110
	if longest/pixelsPerMeter > 1500 {
		unit, name = 1000, "km"
		if l.miles {
			unit, name = 1609.344, "mi"
		}
	}
	length := roundDown(longest / pixelsPerMeter / unit)
	width := length * unit * pixelsPerMeter
	p.ScaleX, p.ScaleY = 12, sheetHeight-18
	p.Scale = fmt.Sprintf("M12 %dH%g", sheetHeight-12, round(12+width))
	p.ScaleText = fmt.Sprintf("%g %s", length, name)
}

// roundDown returns the largest of … 0.2, 0.5, 1, 2, 5, 10, 20 … that is at most v.
func roundDown(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range []float64{5, 2} {
		if step*power <= v {
			return roundSmall(step * power)
		}
	}
	return roundSmall(power)
}

func roundSmall(v float64) float64 { return math.Round(v*1e6) / 1e6 }

func round(v float64) float64 { return math.Round(v*10) / 10 }

// offset returns how far to is east and north of from, in meters.
func offset(from, to model.Location) (east, north float64) {
	middle := (from.Lat + to.Lat) / 2
	east = from.MetersTo(model.Location{Lon: to.Lon, Lat: from.Lat})
	north = from.MetersTo(model.Location{Lon: from.Lon, Lat: to.Lat})
	if c := math.Cos(from.Lat * math.Pi / 180); c > 0.01 {
		east *= math.Cos(middle*math.Pi/180) / c
	}
	across := math.Mod(to.Lon-from.Lon+540, 360) - 180
	return math.Copysign(east, across), math.Copysign(north, to.Lat-from.Lat)
}
